import t from 'tap'
import { hclCorpus } from './corpus.ts'
import { judgeHcl } from './judge.ts'
import { playHcl } from './play-hcl.ts'

/* `npm run proof -- hcl` reads a million of these. */

t.test('2000 mutated texts are read as HashiCorp’s parser reads them, and none crashes the reader', async (t) => {
  t.ok(hclCorpus().length > 220, 'fixtures and generated texts')
  const { accepted, broken } = await playHcl({ inputs: 2000, seed: 1 })
  t.same(broken, [])
  t.ok(accepted > 150, `${accepted} are accepted by both`)
})

t.test('what is read otherwise is found', async (t) => {
  const { accepted, wrong } = await judgeHcl(`a = "${'b'.repeat(10)}"\nb = [\n`)
  t.same({ accepted, wrong }, { accepted: false, wrong: undefined }, 'refused by both')
  t.match((await judgeHcl(`a = ${'['.repeat(201)}${']'.repeat(201)}\n`)).wrong, 'is refused, and accepted by theirs')
})

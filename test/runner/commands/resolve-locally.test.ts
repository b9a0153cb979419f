import t from 'tap'
import { checkoutOf, resource } from '../checkout.ts'
import { git, write } from '../job/planning.ts'

t.test('a person resolves without registering anything', async (t) => {
  const { root, run } = checkoutOf(t)
  git(root, 'checkout', '-q', '-b', 'topic')
  write(root, { 'app/main.tf': resource('b') })
  git(root, 'commit', '-q', '-a', '-m', 'two')
  const ran = await run(['resolve', '--base=main', '--json'])
  t.equal(ran.code, 2)
  t.match(ran.json, { unconfirmed: true, waves: [['app']] })
  const unknown = await run(['resolve', '--base=main', '--stack=nowhere'])
  t.equal(unknown.code, 1)
  t.match(unknown.stderr, /there is no stack nowhere/)
  t.match((await run(['resolve'])).stderr, /--base: the checkout has no commit origin\/HEAD/)
})

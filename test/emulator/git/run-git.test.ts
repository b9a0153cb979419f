import t from 'tap'
import { git } from '#emulator/git/run-git.ts'

t.test('a folder that is no repository is not taken for the checkout that it is in', async (t) => {
  const dir = t.testdir({ 'gone.git': {} })
  await t.rejects(git(`${dir}/gone.git`, ['rev-parse', '--git-dir']), /not a git repository/)
})

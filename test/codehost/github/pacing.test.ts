import t from 'tap'
import { until } from '#test/helpers/until.ts'
import { pull, pullPath, repo, scriptedGitHub } from './scripted-github.ts'

/* GitHub Docs, REST: 'Best practices for using the REST API'. */

t.test('comments are posted three seconds apart, since people are notified of them', async (t) => {
  const at: number[] = []
  const post = 'POST /repos/octo/infra/issues/3/comments'
  const note = () => {
    at.push(performance.now())
    return { status: 201, json: { id: at.length } }
  }
  const github = await scriptedGitHub(t, { [post]: note }, { paced: true })
  await Promise.all([1, 2].map(() => github.host.createComment(repo, 3, 'text')))
  const [first = 0, second = 0] = at
  // half of it may pass before a busy machine notes the first
  t.ok(second - first > 1500, `${second - first} ms`)
})

t.test('of fifty reads that come at once ten are under way, and the token is asked for beside them', async (t) => {
  let [arrived, underWay, most] = [0, 0, 0]
  const get = async () => {
    arrived += 1
    underWay += 1
    most = Math.max(most, underWay)
    await until(() => arrived >= 10)
    underWay -= 1
    return { json: pull }
  }
  const github = await scriptedGitHub(t, { [pullPath]: get }, { paced: true })
  const read = await Promise.all(Array.from({ length: 50 }, () => github.host.getPullRequest(repo, 3)))
  t.equal(read.length, 50)
  t.equal(most, 10)
  t.equal(github.tokens.length, 1)
})

import t from 'tap'
import { check, repo, scriptedGitHub } from './scripted-github.ts'

t.test('check runs are sent within the limits of GitHub', async (t) => {
  const github = await scriptedGitHub(t, {
    'POST /repos/octo/infra/check-runs': () => ({ status: 201, json: { id: 11 } }),
    'PATCH /repos/octo/infra/check-runs/11': () => ({ json: { id: 11 } }),
  })
  t.equal(await github.host.createCheckRun(repo, check), 11)
  const text = `${'a plan line\n'.repeat(6000)}`
  await github.host.updateCheckRun(repo, 11, {
    ...check,
    status: 'completed',
    conclusion: 'success',
    title: 'x'.repeat(300),
    text,
  })
  const [made, updated] = github.seen.map(({ body }) => body as { output: { text: string; title: string } })
  t.same(made, {
    head_sha: 'h1',
    name: 'svc/plan',
    external_id: 'run-1',
    details_url: 'https://svc.test/runs/run-1',
    status: 'in_progress',
    output: { title: '0 of 2 stacks done', summary: 'going on', text: '' },
  })
  t.match(updated, { status: 'completed', conclusion: 'success' })
  t.equal(updated?.output.title.length, 255)
  t.ok(updated!.output.text.length <= 65_535)
  t.match(updated?.output.text, /\na plan line\nCut here: .*https:\/\/svc\.test\/runs\/run-1$/)
})

t.test('a check run or comment that another app made is not there to be changed', async (t) => {
  const refused = (message: string) => () => ({ status: 403, json: { message } })
  const github = await scriptedGitHub(t, {
    'PATCH /repos/octo/infra/check-runs/12': refused('Invalid app_id `8`'),
    'PATCH /repos/octo/infra/issues/comments/5': refused('Resource not accessible by integration'),
    'POST /repos/octo/infra/check-runs': refused('Resource not accessible by integration'),
  })
  t.equal(await github.host.updateCheckRun(repo, 12, check), false)
  t.equal(await github.host.updateComment(repo, 5, 'text'), false)
  await t.rejects(
    github.host.createCheckRun(repo, check),
    { name: 'Refusal', hostStatus: 403 },
    'a permission that lacks',
  )
})

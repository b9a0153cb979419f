import t, { type Test } from 'tap'
import { check, pull, pullPath, repo, scriptedGitHub } from './scripted-github.ts'

/* Clocks are set: by hand, by a hypervisor, by NTP after a boot without a network. */

const hour = 3_600_000
const write = 'PATCH /repos/octo/infra/check-runs/5'

/** The clock of this process is set by so much; back at the end of the test. */
const setClock = (t: Test, by: number): void => {
  const real = Date.now
  Date.now = () => real() + by
  t.teardown(() => {
    Date.now = real
  })
}

for (const paced of [true, false])
  t.test(`a clock that is set an hour back keeps no request waiting (paced: ${paced})`, async (t) => {
    const github = await scriptedGitHub(
      t,
      { [pullPath]: () => ({ json: pull }), [write]: () => ({ json: { id: 5 } }) },
      { paced },
    )
    await github.host.getPullRequest(repo, 3)
    await github.host.updateCheckRun(repo, 5, check)
    // so many that some are under way just then
    const underWay = Array.from({ length: 20 }, () => github.host.getPullRequest(repo, 3))
    setClock(t, -hour)
    const begun = performance.now()
    await Promise.all(underWay)
    await github.host.getPullRequest(repo, 3)
    await github.host.updateCheckRun(repo, 5, check)
    t.ok(performance.now() - begun < 5000)
  })

t.test('nor does it keep a token beyond its hour: after it was set, another one is asked for', async (t) => {
  const github = await scriptedGitHub(t, { [pullPath]: () => ({ json: pull }) })
  await github.host.getPullRequest(repo, 3)
  await github.host.getPullRequest(repo, 3)
  t.equal(github.tokens.length, 1)
  setClock(t, -hour)
  await github.host.getPullRequest(repo, 3)
  await github.host.getPullRequest(repo, 3)
  t.equal(github.tokens.length, 2)
})

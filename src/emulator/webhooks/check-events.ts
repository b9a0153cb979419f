import { checkRunBody, checkSuiteBody } from '#emulator/bodies/check-run.ts'
import { simpleCommitBody } from '#emulator/bodies/commit.ts'
import { type Commit, noCommit } from '#emulator/git/commits.ts'
import type { Account, CheckRun, CheckSuite } from '#emulator/records.ts'
import { fullName } from '#emulator/store.ts'
import type { World } from '#emulator/world.ts'
import { emitFrom } from './events.ts'

/** An app's change to a check run, or a person's request about it: then `by` is that person. */
export const emitCheckRun = (
  world: World,
  check: CheckRun,
  action: 'created' | 'completed' | 'rerequested' | 'requested_action',
  { by = world.app.owner, more = {} }: { by?: Account; more?: Record<string, unknown> } = {},
): void =>
  emitFrom(
    world,
    'check_run',
    { action, ...more, check_run: { ...checkRunBody(world, check), check_suite: checkSuiteBody(world, check.suite) } },
    { repository: check.repository, sender: by },
  )

/** Asks the app for the checks of a commit: after a push, or again. `before`: undefined for a new branch. */
export const emitCheckSuite = (
  world: World,
  suite: CheckSuite,
  action: 'requested' | 'rerequested',
  { before = noCommit, head, sender }: { before: string | undefined; head: Commit; sender: Account },
): void => {
  const { repository, headSha } = suite
  const made = [...world.store.checkRuns.values()].filter((check) => check.suite === suite)
  const body = {
    ...checkSuiteBody(world, suite),
    latest_check_runs_count: made.length,
    check_runs_url: `${world.urls.api}/repos/${fullName(repository)}/check-suites/${suite.id}/check-runs`,
    before,
    after: headSha,
    head_commit: simpleCommitBody(head),
  }
  emitFrom(world, 'check_suite', { action, check_suite: body }, { repository, sender })
}

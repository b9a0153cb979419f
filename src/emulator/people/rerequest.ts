import { checkRunBody, checkSuiteBody } from '#emulator/bodies/check-run.ts'
import { simpleCommitBody } from '#emulator/bodies/commit.ts'
import { readCommit } from '#emulator/git/commits.ts'
import type { Account, CheckRun, CheckSuite } from '#emulator/records.ts'
import { fullName } from '#emulator/store.ts'
import { emitFrom } from '#emulator/webhooks/events.ts'
import type { World } from '#emulator/world.ts'

const emitOfCheck = (world: World, check: CheckRun, sender: Account, more: Record<string, unknown>): void =>
  emitFrom(
    world,
    'check_run',
    { ...more, check_run: { ...checkRunBody(world, check), check_suite: checkSuiteBody(world, check.suite) } },
    { repository: check.repository, sender },
  )

/** 'Re-run' beside a check: the app is told, and the check stays as it is until the app changes it. */
export const rerequestCheck = (world: World, check: CheckRun, sender: Account): void =>
  emitOfCheck(world, check, sender, { action: 'rerequested' })

/** A button that the app put on a check. */
export const requestCheckAction = (world: World, check: CheckRun, identifier: string, sender: Account): void =>
  emitOfCheck(world, check, sender, { action: 'requested_action', requested_action: { identifier } })

/** 'Re-run all checks' of the app at a commit. */
export const rerequestSuite = async (world: World, suite: CheckSuite, sender: Account): Promise<void> => {
  const head = await readCommit(suite.repository.gitDir, suite.headSha)
  const body = {
    ...checkSuiteBody(world, suite),
    latest_check_runs_count: [...world.store.checkRuns.values()].filter((check) => check.suite === suite).length,
    check_runs_url: `${world.urls.api}/repos/${fullName(suite.repository)}/check-suites/${suite.id}/check-runs`,
    before: head.parents[0] ?? '0'.repeat(40),
    after: suite.headSha,
    head_commit: simpleCommitBody(head),
  }
  const payload = { action: 'rerequested', check_suite: body }
  emitFrom(world, 'check_suite', payload, { repository: suite.repository, sender })
}

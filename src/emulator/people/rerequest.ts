import { readCommit } from '#emulator/git/commits.ts'
import type { Account, CheckRun, CheckSuite } from '#emulator/records.ts'
import { emitCheckRun, emitCheckSuite } from '#emulator/webhooks/check-events.ts'
import type { World } from '#emulator/world.ts'

/** 'Re-run' beside a check: the app is notified, and the check stays as it is until the app changes it. */
export const rerequestCheck = (world: World, check: CheckRun, by: Account): void =>
  emitCheckRun(world, check, 'rerequested', { by })

/** A button that the app put on a check. */
export const requestCheckAction = (world: World, check: CheckRun, identifier: string, by: Account): void =>
  emitCheckRun(world, check, 'requested_action', { by, more: { requested_action: { identifier } } })

/** 'Re-run all checks' of the app at a commit. */
export const rerequestSuite = async (world: World, suite: CheckSuite, sender: Account): Promise<void> => {
  const head = await readCommit(suite.repository.gitDir, suite.headSha)
  emitCheckSuite(world, suite, 'rerequested', { before: head.parents[0], head, sender })
}

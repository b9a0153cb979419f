import { systemClock } from '#clock.ts'
import type { CodeHost, PullRequest } from '#codehost/port.ts'
import { judgeApply } from '#commands/apply/judge-apply.ts'
import { createPool } from '#db/pool.ts'
import { createRepositoryLookUp } from '#db/repositories/repository-look-up.ts'
import { sql } from '#db/sql.ts'
import { findPlanView } from '#db/views/runs/plan-view.ts'
import type { RepoConfig } from '#domain/config/config-file.ts'
import { createLog } from '#log.ts'
import { createRuntime } from '#runtime/runtime.ts'
import { analyse, seedRepository, seedRun } from '#test/helpers/seed.ts'
import { benchDatabase } from '../machine/database.ts'
import { keyOf, STACKS, summary } from './policy.ts'

/** A planned pull request in a database, and its gate by any policy. */
export type OpenGate = { ask(config: RepoConfig): Promise<boolean>; stop(): Promise<void> }

const reviewers = Array.from({ length: 5 }, (_, i) => `reviewer-${i}`)

/** A code host that answers at once, with what speaks for the apply. */
const host = {
  listReviews: async () =>
    reviewers.map((login) => ({ login, bot: false, state: 'APPROVED', commitId: 'a'.repeat(40), submittedAt: null })),
  permissionOf: async () => 'write',
  isTeamMember: async () => true,
} as unknown as CodeHost

const pull = {
  ...{ number: 1, author: 'ann', headSha: 'a'.repeat(40), headRef: 'change', state: 'open', draft: false },
  ...{ baseRef: 'main', headRepoId: 1, mergeable: true, mergeableState: 'clean', mergedAt: null },
} as unknown as PullRequest

/** All stacks of a run planned, each with its verdicts. */
export const openGate = async (): Promise<OpenGate> => {
  const database = await benchDatabase('gate')
  const pool = await createPool(database.url, { log: createLog({ level: 'error', format: 'text' }) })
  const runtime = createRuntime({ pool, clock: systemClock })
  await seedRepository(pool)
  const { runId, keys } = await seedRun(pool, runtime, { waves: [Array.from({ length: STACKS }, (_, i) => keyOf(i))] })
  await Promise.all(
    keys.map((key, i) =>
      runtime.send({
        to: { kind: 'stack', runId, key },
        event: { type: 'result.reported', outcome: 'changes', digest: key },
        actor: 'bench',
        document: () => ({
          body: { mode: 'plan', status: 'success', exit_code: 2, summary: summary(i) },
          plan_text: null,
        }),
      }),
    ),
  )
  await pool.query(sql.unsafe`
    insert into checks (installation_id, run_id, stack_id, name, status, updated_at)
    select installation_id, run_id, stack_id, name, 'pass', now() from run_stacks, unnest(array['cost', 'lint', 'policy']) as name`)
  await analyse(database.url)
  const repository = await createRepositoryLookUp(pool)(1)
  if (!repository) throw new Error('there is no repository')
  return {
    ask: async (config) => {
      const plan = await findPlanView(pool, 1, 1)
      const subject = { repository, pull, readAt: new Date(), policy: { ok: true, config } as const, plan }
      const asking = { how: 'comment', requester: 'rob', askedSha: pull.headSha, stacks: keys } as const
      const { report } = await judgeApply({ pool, codehost: host }, subject, asking)
      return report.allowed
    },
    stop: async () => {
      await pool.end()
      await database.stop()
    },
  }
}

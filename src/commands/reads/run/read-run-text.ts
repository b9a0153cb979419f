import type { Readable } from 'node:stream'
import type { PersonOrKey } from '#commands/callers/caller.ts'
import type { Deps } from '#commands/deps.ts'
import { findKeptText, type KeptText } from '#db/runs/plan-texts.ts'
import { Problem } from '#errors.ts'
import { planInBucket } from './plan-in-bucket.ts'
import { type RunReading, visibleRun } from './visible-run.ts'

/** `hash`: the SHA-256 of the text, by which a caller knows that it has it already. */
type RunText = { hash: string | null; body: string | Readable; bytes: number | undefined }

type Asked = { runId: string; key: string; signal: AbortSignal; isKnown: (hash: string) => boolean }

/**
 * The whole plan text of a stack, from the row or the bucket (docs/interface.md, 'GET /v1/runs/{id}/stacks/{key}/text').
 * `known` if the caller has it: then the bucket is not asked.
 */
export const readRunText = async (
  deps: RunReading & Pick<Deps, 'artifacts'>,
  caller: PersonOrKey,
  { runId, key, signal, isKnown }: Asked,
): Promise<RunText | 'known'> => {
  const { rows } = await visibleRun(deps, caller, runId)
  const kept = await findKeptText(rows, { runId, key })
  if (!kept) throw new Problem('not_found', `run ${runId} has no stack ${key}`)
  const { plan_text, plan_url, plan_hash: hash, is_cut } = kept
  const isThere = plan_text !== null || plan_url !== null
  if (isThere && hash !== null && isKnown(hash)) return 'known'
  if (plan_text !== null && !is_cut) return { hash, body: plan_text, bytes: Buffer.byteLength(plan_text) }
  const object = plan_url === null ? undefined : await planInBucket(deps.artifacts, plan_url, signal)
  if (!object) throw goneProblem(key, kept)
  return { hash, ...object }
}

/** Says why there is no text: it never was, is not kept, or is not kept any more. */
const goneProblem = (key: string, { plan_output, plan_url, plan_removed_at, reported_at }: KeptText): Problem => {
  if (plan_removed_at) {
    const removed_at = plan_removed_at.toISOString()
    return new Problem(
      'not_found',
      `the plan text of ${key} was removed on ${removed_at}: it was older than texts are kept`,
      {
        details: { removed_at },
      },
    )
  }
  if (plan_url !== null) return new Problem('not_found', `the plan of ${key} is not in the artifact bucket any more`)
  if (reported_at === null) return new Problem('not_found', `nothing has been reported of ${key} yet`)
  return plan_output === 'summary'
    ? new Problem('not_found', `no plan text of ${key} is kept: its plan_output is summary`)
    : new Problem('not_found', `the result of ${key} came without a plan text`)
}

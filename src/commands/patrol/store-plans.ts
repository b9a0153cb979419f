import { createHash } from 'node:crypto'
import type { ArtifactStore } from '#artifacts/port.ts'
import { present } from '#commands/shapes/shape-run.ts'
import { keepBeginning, type PlanToStore, plansToStore } from '#db/runs/plan-texts.ts'
import type { Pool } from '#db/sql.ts'
import { planBeginning } from '#domain/texts/plan-beginning.ts'
import { lowestId } from '#portions.ts'

/** Texts in memory, and requests under way, at once: 2 MB and 16. */
const atATime = 8

/**
 * Moves the plan texts of a run to the bucket, a summary beside each, and leaves their beginnings in the rows
 * (docs/artifacts.md). A text leaves the database in the statement that says where it is, after it was written, and only if
 * the row still has that text: whatever fails on the way, one place has it whole. Done again, it writes the same.
 */
export const storePlans = async (
  { pool, artifacts, signal }: { pool: Pool; artifacts: ArtifactStore; signal: AbortSignal },
  runId: string,
): Promise<void> => {
  for (let after = lowestId; ; ) {
    const plans = await plansToStore(pool, { runId, after, limit: atATime })
    const last = plans.at(-1)
    if (!last) return
    const ended = await Promise.allSettled(plans.map((plan) => storePlan({ pool, artifacts, signal }, plan)))
    for (const end of ended) if (end.status === 'rejected') throw end.reason
    after = last.stack_id
  }
}

const storePlan = async (
  { pool, artifacts, signal }: { pool: Pool; artifacts: ArtifactStore; signal: AbortSignal },
  plan: PlanToStore,
): Promise<void> => {
  // by ids: a key in an object's name has 1,024 bytes, and a stack's alone up to 2,500
  const folder = `runs/${plan.run_id}/${plan.stack_id}`
  const text = Buffer.from(plan.plan_text)
  const name = `${folder}/plan.txt`
  await artifacts.put(name, { body: text, contentType: 'text/plain; charset=utf-8' }, signal)
  const summary = Buffer.from(`${JSON.stringify(summaryOf(plan), undefined, 2)}\n`)
  await artifacts.put(`${folder}/summary.json`, { body: summary, contentType: 'application/json' }, signal)
  await keepBeginning(pool, {
    runId: plan.run_id,
    stackId: plan.stack_id,
    hash: createHash('sha256').update(text).digest('hex'),
    beginning: planBeginning(plan.plan_text),
    url: artifacts.locate(name),
  })
}

/** Facts only: errors quote what tools print. */
const summaryOf = (plan: PlanToStore): object => {
  const { summary, exit_code, tool, tool_version, duration_ms, job_url, truncated } = plan.body
  return {
    repo: plan.repo,
    run_id: plan.run_id,
    stack_id: plan.stack_id,
    key: plan.key,
    path: plan.path,
    sha: plan.sha,
    mode: plan.mode,
    status: plan.status,
    ...present({
      pr_number: plan.pr_number,
      summary,
      exit_code,
      tool,
      tool_version,
      duration_ms,
      job_url,
      truncated,
      started_at: plan.started_at?.toISOString(),
      finished_at: plan.finished_at?.toISOString(),
      reported_at: plan.reported_at.toISOString(),
    }),
  }
}

import type { StackResult } from '#domain/result.ts'
import { Problem } from '#errors.ts'
import { openCheckout } from '../checkout/checkout.ts'
import { type Context, defineCommand } from '../command.ts'
import { type ExitCode, exit, gravest } from '../exit.ts'
import { modeOf } from '../job/dispatch.ts'
import { type HeldResult, readAllHeld, readHeld } from '../job/held-result.ts'
import { jobUrl } from '../job/job-url.ts'
import { runIdOf, type StackFlags, selectStacks, stackFlags } from '../job/selection.ts'
import { openWorkDir, type WorkDir } from '../job/work-dir.ts'
import { reportHeld } from '../report/report-held.ts'
import { reachService, serviceFlags, tellNoToken } from '../service/reach-service.ts'

const begun = { plan: 'planned', apply: 'applied', drift: 'checked for drift' } as const

/** For a stack without a result: the job ended before there was one, and before its tool could change anything. */
const noResult = (mode: StackResult['mode'], url: string | undefined): StackResult => ({
  mode,
  status: 'error',
  error_text: `the job ended before the stack was ${begun[mode]}: the job's log says why`,
  ...(url === undefined ? {} : { job_url: url }),
})

/** The result to report for each named stack. A stack that was never begun gets one that says so. */
const heldResults = async (values: StackFlags, work: WorkDir, { environment }: Context): Promise<HeldResult[]> => {
  const selected = selectStacks(values, environment)
  if (selected.length === 0) return await readAllHeld(work)
  const runId = runIdOf(values, environment)
  const result = {
    ...noResult(modeOf(environment) ?? 'plan', jobUrl(environment)),
    ...(environment.isUnconfirmed ? { unconfirmed: true } : {}),
  }
  const missing = { ...(runId === undefined ? {} : { run_id: runId }), reported: false, result }
  return await Promise.all(
    selected.map(async ({ key }) => {
      const held = await readHeld(work, key)
      // A work directory that outlives its job may hold another run's result.
      return held?.run_id === runId && held !== undefined ? held : { key, ...missing }
    }),
  )
}

export const report = defineCommand({
  name: 'report',
  usage: '[flags]',
  text: `For a step that runs whatever came before it (if: always()). A stack of the job that was never begun is reported as failed,
since a stack without a result keeps the run open; so is an apply that was cut off. Results that were already reported are left
alone. Without named stacks it reports every result in the work directory.`,
  flags: { ...stackFlags, ...serviceFlags },
  operands: 0,
  run: async ({ values }, context): Promise<ExitCode> => {
    const { environment, output, cwd } = context
    const reached = reachService(values, environment, output)
    if (reached.kind === 'no-token') {
      tellNoToken(output, undefined)
      output.answer({ stacks: [] })
      return exit.ok
    }
    if (reached.kind === 'none')
      throw new Problem('invalid', 'svc report is for a job: there is no OIDC token to report with')
    const { root } = await openCheckout(cwd)
    const work = openWorkDir(environment, root, values['work-dir'], cwd)
    const held = await heldResults(values, work, context)
    if (held.length === 0) throw new Problem('invalid', 'there is nothing to report: svc plan --hold comes first')
    const done: { key: string; outcome: string; code: ExitCode }[] = []
    for (const one of held) {
      if (one.refused) {
        output.warn(`${one.key}: the service refused the job, so nothing is reported`)
        done.push({ key: one.key, outcome: 'refused', code: exit.refused })
      } else if (one.reported) done.push({ key: one.key, outcome: 'reported', code: exit.ok })
      else done.push({ key: one.key, ...(await reportHeld(one, { service: reached.service, work, output })) })
    }
    output.answer({ stacks: done.map(({ key, outcome }) => ({ key, outcome })) })
    return gravest(done.map(({ code }) => code))
  },
})

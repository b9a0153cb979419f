import type { GateReport } from '#domain/gate.ts'
import type { GateAnswer } from '#domain/gate-comment.ts'
import type { Deps } from './deps.ts'
import type { GateSubject } from './gate-subject.ts'
import { runUrl } from './shapes.ts'

/** The gate of a pull request as comments show it, with the page of its plan run. */
export const gateAnswer = (
  { baseUrl }: Pick<Deps, 'baseUrl'>,
  { pull, plan }: GateSubject,
  report: GateReport,
): GateAnswer => ({
  report,
  headSha: pull.headSha,
  ...(plan === undefined ? {} : { run: { id: plan.id, html_url: runUrl(baseUrl, plan) } }),
})

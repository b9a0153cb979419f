import type { ReportedStack } from '#domain/run-report.ts'
import { stack } from './sample-reports.ts'

/** As many stacks as a large repository has: some failed or lose something, most have a small plan, some a very large one or none. */
export const mixed = (count: number): ReportedStack[] =>
  Array.from({ length: count }, (_, at) => {
    const key = `team-${at % 12}/service-${at}`
    if (at % 100 === 7)
      return stack(key, {
        status: 'failed',
        plan_text: undefined,
        summary: undefined,
        error_text: 'Error: no\n'.repeat(9),
      })
    if (at % 3 === 0) return stack(key, { status: 'noop', plan_text: 'No changes.', summary: undefined })
    const lines = at % 10 === 1 ? 400 : at % 10 === 2 ? 60 : 4
    const destroyed = at % 20 === 1 ? [`aws_db_instance.of_${at}`] : []
    return stack(key, {
      wave: at % 4,
      summary: {
        ...{ adds: 1, changes: lines, destroys: destroyed.length, replaces: 0, destroyed },
        ...{ added: [`aws_thing.new_${at}`], changed: [`aws_thing.old_${at}`] },
      },
      plan_text: Array.from({ length: lines }, (_, line) => `  ~ resource "aws_thing" "old_${line}" {\n`).join(''),
    })
  })

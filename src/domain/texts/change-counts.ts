import type { Summary } from '../plan-summary.ts'
import type { ReportedStack } from '../run-report.ts'

/**
 * `+a ~c -d ±r`, where a replacement counts once and separately: Terraform's own line counts it as added and destroyed.
 * Imports, moves and changed outputs are named only if there are any, since a plan may consist of them alone.
 */
export const changeCounts = (summary: Summary): string => {
  const rest = [
    many(summary.imports ?? 0, 'import'),
    many(summary.moves ?? 0, 'move'),
    many(summary.output_changes ?? 0, 'output change'),
  ]
  const counts = `+${summary.adds} ~${summary.changes} -${summary.destroys} ±${summary.replaces}`
  return [counts, ...rest.filter((part) => part !== '')].join(', ')
}

/** `''` for none, `1 stack`, `2 stacks`. */
export const many = (count: number, noun: string): string =>
  count === 0 ? '' : `${count} ${noun}${count === 1 ? '' : 's'}`

/** The counts of several stacks together; a stack without a summary adds nothing. */
export const totalOf = (stacks: readonly ReportedStack[]): Summary => {
  const total = { adds: 0, changes: 0, destroys: 0, replaces: 0, imports: 0, moves: 0, output_changes: 0 }
  for (const { summary } of stacks) {
    if (summary === undefined) continue
    total.adds += summary.adds
    total.changes += summary.changes
    total.destroys += summary.destroys
    total.replaces += summary.replaces
    total.imports += summary.imports ?? 0
    total.moves += summary.moves ?? 0
    total.output_changes += summary.output_changes ?? 0
  }
  return total
}

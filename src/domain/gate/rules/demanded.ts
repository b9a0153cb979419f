import type { Objection } from '../verdict.ts'
import { isOfAll, type RuleRef } from './rule-ref.ts'
import type { Demand, Taken } from './take-rules.ts'

/** An objection to what one demand asks for, and who asks for it. */
export type Demanded = { objection: Objection; by: RuleRef }

/**
 * The objections of all demands, in their order. What several have alike is said once, with the stacks of all of them; what is asked
 * of all stacks names none.
 */
export const objectionsTo = (
  { demands }: Taken,
  judge: (requirements: Demand['requirements']) => readonly Demanded[],
): Objection[] => {
  const said = new Map<string, Objection & { stacks: string[] }>()
  for (const { requirements, stacks } of demands)
    for (const { objection, by } of judge(requirements)) {
      const ours = isOfAll(by) ? [] : stacks
      const id = [by.place, objection.verdict, objection.name, objection.what].join('\0')
      const known = said.get(id)
      if (known !== undefined) for (const key of ours) known.stacks.push(key)
      else said.set(id, { ...objection, stacks: [...ours], ...(isOfAll(by) ? {} : { rule: by }) })
    }
  return [...said.values()]
}

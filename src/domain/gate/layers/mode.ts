import type { Judge } from '../judge.ts'
import { objectionsTo } from '../rules/demanded.ts'
import { isOfAll, placeText, type RuleRef } from '../rules/rule-ref.ts'
import { type Objection, off, unknown, unlessObjected } from '../verdict.ts'
import { noPolicy } from './config.ts'

const refusal: Record<'on_merge' | 'off', Objection> = {
  on_merge: {
    verdict: 'fail',
    name: 'on_merge',
    what: 'Stacks of this repository are applied when their pull request is merged (apply.mode: on_merge)',
    next: 'Merge the pull request instead of commenting',
  },
  off: {
    verdict: 'fail',
    name: 'off',
    what: 'Pull requests of this repository apply nothing (apply.mode: off)',
    next: 'Ask for a run by API key, or change apply.mode on the default branch',
  },
}

const refusalBy = (mode: 'on_merge' | 'off', by: RuleRef): Objection => {
  const { what, ...rest } = refusal[mode]
  if (isOfAll(by)) return { what, ...rest }
  const whose =
    mode === 'on_merge'
      ? 'Some stacks are applied when their pull request is merged'
      : 'Some stacks are applied by no pull request'
  return {
    ...rest,
    what: `${whose} (${placeText(by, 'mode')}: ${mode})`,
    next:
      mode === 'on_merge'
        ? 'Name the other stacks in the comment, and merge the pull request for these'
        : 'Name the other stacks in the comment, and ask for a run by API key for these',
  }
}

/** Comments apply in this repository, or rather these stacks; on merge only what no pull request may apply is left to be refused. */
export const judgeMode: Judge = ({ how }, policy, taken) => {
  if (taken === undefined || policy === undefined) return how === 'on_merge' ? off(merging) : unknown(noPolicy)
  const objections = objectionsTo(taken, ({ mode: { value: mode, by } }) => {
    const isRefused = how === 'on_merge' ? mode === 'off' && !isOfAll(by) : mode !== 'comment'
    return isRefused && mode !== 'comment' ? [{ by, objection: refusalBy(mode, by) }] : []
  })
  if (how === 'on_merge' && objections.length === 0) return off(merging)
  return unlessObjected('Comments apply in this repository', [], objections)
}

const merging = 'Merging is how this repository applies'

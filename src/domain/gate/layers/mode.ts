import type { Judge } from '../facts.ts'
import { type Objection, unknown, unlessObjected } from '../verdict.ts'
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

/** Comments apply in this repository. */
export const judgeMode: Judge = (_, policy) => {
  if (policy === undefined) return unknown(noPolicy)
  const { mode } = policy
  return unlessObjected('Comments apply in this repository', [], mode === 'comment' ? [] : [refusal[mode]])
}

import type { KeyboardEvent, ReactNode } from 'react'
import { Icon } from '../parts/Icon.tsx'
import { Copy } from '../parts/text/Copy.tsx'
import { useTyped } from '../parts/useTyped.ts'
import { mostMatches } from './find.ts'
import { hasHeads } from './layout.ts'
import type { Steps } from './useMatches.ts'
import type { Plan } from './usePlan.ts'
import type { PlanView } from './usePlanView.ts'
import './plan-bar.css'

type PlanBarProps = {
  plan: Plan
  view: PlanView
  text: string
  steps: Steps
  /** `7 resources, 107 lines, 4.0 KB` */
  children: ReactNode
}

/** What can be done with a whole text: find in it, open all of it, copy it. */
export const PlanBar = ({ plan, view, text, steps, children }: PlanBarProps) => {
  const [typed, type] = useTyped(plan.query, plan.find)
  const isAllOpen = plan.fold.base === 'all' && plan.fold.folded.size === 0
  const turnAll = (): void => {
    view.holdPlace()
    plan.turnAll(isAllOpen ? 'none' : 'all')
  }
  const key = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key === 'Enter') steps.go(event.shiftKey ? -1 : 1)
    if (event.key === 'Escape') type('')
    if (event.key !== 'Enter' && event.key !== 'Escape') return
    event.preventDefault()
  }
  return (
    <div className="plan-bar">
      <div className="plan-find">
        <Icon name="find" />
        <input
          type="text"
          aria-label="Find in the text"
          placeholder="Find"
          value={typed}
          onChange={(event) => type(event.target.value)}
          onKeyDown={key}
          spellCheck={false}
          autoComplete="off"
        />
        {plan.query !== '' && <span className="quiet small">{foundWords(plan.matches.length, steps.at)}</span>}
        <FindStep name="Match before" icon="up" steps={steps} by={-1} isOff={plan.matches.length === 0} />
        <FindStep name="Match after" icon="down" steps={steps} by={1} isOff={plan.matches.length === 0} />
      </div>
      <p className="plan-size quiet small">{children}</p>
      <div className="plan-do">
        {hasHeads(plan.outline) && (
          <button type="button" className="button button-small" onClick={turnAll}>
            {isAllOpen ? 'Fold all' : 'Open all'}
          </button>
        )}
        <Copy text={text} what="the text" label="Copy as text" />
      </div>
    </div>
  )
}

type FindStepProps = { name: string; icon: 'up' | 'down'; steps: Steps; by: 1 | -1; isOff: boolean }

const FindStep = ({ name, icon, steps, by, isOff }: FindStepProps) => (
  <button type="button" className="plan-step" aria-label={name} disabled={isOff} onClick={() => steps.go(by)}>
    <Icon name={icon} />
  </button>
)

const foundWords = (count: number, at: number | undefined): string => {
  const all = count === mostMatches ? `the first ${mostMatches}` : String(count)
  if (at !== undefined) return `${at + 1} of ${all}`
  return `${all} ${count === 1 ? 'match' : 'matches'}`
}

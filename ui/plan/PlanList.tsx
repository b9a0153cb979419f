import { Fragment, useState } from 'react'
import { many } from '../parts/words.ts'
import { type Listed, listOf } from './list.ts'
import { looks } from './sign.ts'
import type { Plan } from './usePlan.ts'
import type { PlanView } from './usePlanView.ts'
import './plan.css'
import './plan-list.css'

/** Of one action, before somebody asks for all. */
const few = 100

/** The resources of a plan beside its text, destroys first: the text itself keeps its own order. */
export const PlanList = ({ plan, view }: { plan: Plan; view: PlanView }) => {
  const all = listOf(plan.outline)
  const count = all.reduce((sum, { resources }) => sum + resources.length, 0)
  if (count === 0) return null
  return (
    <nav className="box plan-list" aria-label="Resources of the plan">
      <h2>
        {many(count, 'resource')} <span className="quiet">destroys first</span>
      </h2>
      <div className="box-rest">
        {all.map((listed) => (
          <Doing key={listed.does} {...listed} plan={plan} view={view} />
        ))}
        {all.some(({ does }) => does === 'replace') && plan.outline.totals !== undefined && (
          <p className="small quiet">
            The tool counts a replace as one to add and one to destroy. Its own line says: {plan.outline.totals}
          </p>
        )}
      </div>
    </nav>
  )
}

const Doing = ({ does, resources, plan, view }: Listed & { plan: Plan; view: PlanView }) => {
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? resources : resources.slice(0, few)
  const current = plan.outline.sections[view.current]
  return (
    <>
      <h3>{looks[does].heading(resources.length)}</h3>
      <ul>
        {shown.map((resource) => (
          <li key={resource.from}>
            <a
              href={`#L${resource.from + 1}`}
              aria-current={resource === current ? 'location' : undefined}
              onClick={(event) => {
                if (event.ctrlKey || event.metaKey || event.shiftKey) return
                event.preventDefault()
                plan.show(resource)
                view.goToSection(plan.outline.sections.indexOf(resource))
              }}
            >
              <span className="plan-sign" data-does={looks[does].tone} aria-hidden="true">
                {looks[does].sign}
              </span>
              <Address of={resource.address} />
            </a>
          </li>
        ))}
      </ul>
      {shown.length < resources.length && (
        <button type="button" className="button button-small" onClick={() => setWhole(true)}>
          Show {resources.length - shown.length} more
        </button>
      )}
    </>
  )
}

/** A line may end after each dot and underscore: most addresses are longer than the list is wide. */
const Address = ({ of }: { of: string }) => (
  <span className="mono">
    {of.split(/(?<=[._])/).map((part, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other name, and their order is theirs
      <Fragment key={at}>
        {part}
        <wbr />
      </Fragment>
    ))}
  </span>
)

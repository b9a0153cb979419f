import { type MouseEvent, useMemo } from 'react'
import { useKeys } from '../keys/registry.ts'
import { many } from '../parts/words.ts'
import { placedIn } from './layout.ts'
import { sizeWords } from './list.ts'
import type { Section } from './outline.ts'
import { PlanBar } from './PlanBar.tsx'
import { PlanSection } from './PlanSection.tsx'
import { useMatches } from './useMatches.ts'
import type { Plan } from './usePlan.ts'
import type { PlanView } from './usePlanView.ts'
import './plan.css'

/** Pixels beyond what is in view in which resources are drawn too, so scrolling shows no gaps. */
const beyond = 400

type PlanTextProps = { label: string; text: string; plan: Plan; view: PlanView }

/** A plan's text, folded by resource. Only what is in view is drawn: 2 MB are 40,000 lines. */
export const PlanText = ({ label, text, plan, view }: PlanTextProps) => {
  const { outline, range, matches } = plan
  const { sections, lines } = outline
  const steps = useMatches(plan, view.goToLine)
  const resources = sections.filter(({ kind }) => kind === 'resource')
  const indexOf = new Map(resources.map((section, at) => [section, at + 1]))
  const size = useMemo(() => new TextEncoder().encode(text).length, [text])
  useResourceKeys(plan, view)

  const turn = (section: Section, open: boolean): void => {
    plan.turn(section, open)
    if (!open) view.keepInView(sections.indexOf(section))
  }
  const choose = (event: MouseEvent): void => {
    const number = (event.target as Element).closest('.plan-no')?.textContent
    if (!number || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    plan.choose(Number(number), event.shiftKey)
  }
  return (
    <section className="plan" aria-label={label}>
      <h2 className="unseen">{label}</h2>
      <PlanBar plan={plan} view={view} text={text} steps={steps}>
        {resources.length > 0 && `${many(resources.length, 'resource')}, `}
        {many(lines.length, 'line')}, {sizeWords(size)}
      </PlanBar>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the links inside are what is clicked, and Enter clicks them too */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: as above */}
      <div ref={view.body} className="plan-body" style={{ height: view.layout.height }} onClick={choose}>
        {placedIn(view.layout, view.top - beyond, view.bottom + beyond).map((placed) => (
          <PlanSection
            key={placed.at}
            placed={placed}
            lines={lines}
            heights={view.heights}
            view={view}
            {...nameOf(placed.section, placed.at, sections.length, outline.totals)}
            place={indexOf.has(placed.section) ? `${indexOf.get(placed.section)} of ${resources.length}` : undefined}
            range={range}
            matches={matches}
            current={steps.at}
            turn={turn}
          />
        ))}
      </div>
    </section>
  )
}

/** What stands around resources is named by where it stands; what it says in sum is the tool's own line. */
const nameOf = (section: Section, at: number, count: number, totals: string | undefined) => {
  if (section.kind === 'resource') return { name: section.address, note: section.why }
  if (count === 1) return { name: 'The whole text', note: undefined }
  if (at === 0) return { name: 'Before the first resource', note: undefined }
  if (at === count - 1) return { name: 'After the last resource', note: totals }
  return { name: 'Between two resources', note: undefined }
}

/** `n` and `p` go to the next resource and the one before, from the one that has the focus or is at the top. */
const useResourceKeys = ({ outline: { sections } }: Plan, view: PlanView): void => {
  const step = (by: 1 | -1): void => {
    const focused = document.activeElement?.closest<HTMLElement>('[data-section]')?.dataset.section
    const top = view.body.current?.getBoundingClientRect().top ?? 0
    // above the text, the first resource is the next one
    const here = focused === undefined ? (top > innerHeight / 3 ? -1 : view.current) : Number(focused)
    let at = here + by
    while (sections[at]?.kind === 'rest') at += by
    if (sections[at]) view.goToSection(at)
  }
  useKeys([
    { keys: 'n', does: 'Next resource', act: () => step(1) },
    { keys: 'p', does: 'Resource before', act: () => step(-1) },
  ])
}

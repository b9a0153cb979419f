import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Prose } from '../../parts/text/Prose.tsx'
import { brokenStatuses } from '../../status/phases.ts'
import { StatusIconOf } from '../../status/Status.tsx'
import { useActs } from '../acts/useActs.ts'
import type { Phase } from '../state/phase.ts'
import type { Tally } from '../state/tally.ts'
import { useRun } from '../state/useRun.ts'
import { useSelect } from '../useSelect.ts'
import { type Deed, needsHeading, needsOfRun } from './attention.ts'
import { endsWhen } from './head-words.ts'
import '../../parts/attention.css'

/** Sentences before the rest is behind a button: what follows must stay in reach. */
const atOnce = 5

/** What needs somebody, above everything else: each a sentence with its cause and one button. */
export const AttentionList = ({ tally, phase }: { tally: Tally; phase: Phase }) => {
  const { run, rows } = useRun()
  const act = useDeed()
  const [isWhole, setWhole] = useState(false)
  if (!run?.attention?.length) return null
  const needs = needsOfRun(run, rows)
  const ends = endsWhen(run, tally, phase)
  const shown = isWhole || needs.length <= atOnce + 1 ? needs : needs.slice(0, atOnce)
  return (
    <section className="attention" data-tone={needs[0]?.look.tone} aria-labelledby="attention">
      <h2 id="attention">{needsHeading(run.attention)}</h2>
      <ul>
        {shown.map(({ look, about, text, label, deed }) => (
          <li key={`${about}${text}`}>
            <StatusIconOf look={look} />
            <p>
              <strong>{about}</strong>
              <Prose of={text} />
            </p>
            <button type="button" className="button button-small" onClick={() => act(deed)}>
              {label}
            </button>
          </li>
        ))}
      </ul>
      {shown.length < needs.length && (
        <button type="button" className="button button-small" onClick={() => setWhole(true)}>
          {needs.length - shown.length} more
        </button>
      )}
      {ends !== undefined && <p className="attention-ends quiet">{ends}</p>}
    </section>
  )
}

const useDeed = (): ((deed: Deed) => void) => {
  const { release } = useActs()
  const select = useSelect()
  const navigate = useNavigate({ from: '/runs/$id' })
  return (deed) => {
    switch (deed.does) {
      case 'show':
        return select(deed.key)
      case 'release':
        return release(deed.key)
      case 'open run':
        return void navigate({ to: '/runs/$id', params: { id: deed.id } })
      case 'filter':
        return void navigate({ to: '/runs/$id', search: { status: [...brokenStatuses] }, resetScroll: false })
      case 'open tab':
        return void navigate({ to: `/runs/$id/${deed.tab}`, search: (search) => search, resetScroll: false })
    }
  }
}

import { getRouteApi } from '@tanstack/react-router'
import { useDeferredValue, useMemo, useRef } from 'react'
import type { RunRow } from '../../api/run-types.ts'
import { Counts } from '../../parts/Counts.tsx'
import { Empty } from '../../parts/feedback/Empty.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { Skeleton } from '../../parts/feedback/Skeleton.tsx'
import { listed, many } from '../../parts/words.ts'
import { useDrawnRows } from '../../table/useDrawnRows.ts'
import { summaryOf, usePlanned } from '../state/usePlanned.ts'
import { useRowsOfRun } from '../useRowsOfRun.ts'
import { ChangeLine } from './ChangeLine.tsx'
import { changesOf, gapsOf, linesOf, nameOfLine } from './changes.ts'
import '../../parts/box.css'
import './changes.css'

const route = getRouteApi('/runs/$id/changes')

/** All resources of the run by what its plans do with them, destroys first. */
export const ChangesTab = () => {
  const { id } = route.useParams()
  const { find } = route.useSearch()
  const navigate = route.useNavigate()
  const { run, rows, ofPlans } = useToldRows()
  const wanted = useDeferredValue(find)
  const all = useMemo(() => changesOf(rows), [rows])
  const changes = useMemo(() => (wanted === undefined ? all : changesOf(rows, wanted)), [rows, wanted, all])
  const lines = useMemo(() => linesOf(changes), [changes])
  const body = useRef<HTMLUListElement>(null)
  const { from, to, row: height } = useDrawnRows(body, lines.length)
  if (!run) return <Skeleton lines={6} />
  const totalOf = (doing: string): number => all.find((one) => one.doing === doing)?.total ?? 0
  const found = changes.reduce((sum, { total }) => sum + total, 0)
  const look = (text: string): void =>
    void navigate({
      search: (before) => ({ ...before, find: text === '' ? undefined : text }),
      replace: true,
      resetScroll: false,
    })
  return (
    <section className="box changes" aria-label="Changes">
      <header className="changes-head">
        <h2>
          {many(
            all.reduce((sum, { total }) => sum + total, 0),
            'resource',
          )}
        </h2>
        <Counts
          of={{
            add: totalOf('add'),
            change: totalOf('change'),
            destroy: totalOf('destroy'),
            replace: totalOf('replace'),
          }}
        />
        <div className="changes-find">
          <Icon name="find" />
          <input
            type="text"
            aria-label="Find by address"
            placeholder="Find by address"
            value={find ?? ''}
            onChange={(event) => look(event.target.value)}
            onKeyDown={(event) => event.key === 'Escape' && look('')}
            spellCheck={false}
            autoComplete="off"
          />
          {find !== undefined && <span className="quiet small">{many(found, 'match', 'matches')}</span>}
        </div>
      </header>
      <Gaps rows={rows} ofPlans={ofPlans} isFinding={find !== undefined} />
      {lines.length === 0 && (
        <div className="box-rest">
          <Empty
            why={
              find === undefined
                ? 'Nothing is changed by what has been reported so far.'
                : `No address that is listed has “${find}” in it.`
            }
          >
            {find !== undefined && (
              <button type="button" className="button" onClick={() => look('')}>
                Show all
              </button>
            )}
          </Empty>
        </div>
      )}
      <ul
        ref={body}
        className="changes-lines"
        style={{ paddingTop: from * height, paddingBottom: (lines.length - to) * height }}
      >
        {lines.slice(from, to).map((line) => (
          <ChangeLine key={nameOfLine(line)} line={line} runId={id} mode={run.mode} />
        ))}
      </ul>
    </section>
  )
}

/** The rows with what is known of their changes: of an apply that is not done yet, what its plan says. */
const useToldRows = () => {
  const { run, rows } = useRowsOfRun()
  const planned = usePlanned()
  const told = useMemo(() => {
    if (!planned) return rows
    return rows.map((row) => {
      const summary = summaryOf(row, planned.get(row.key), run?.plan_run_id)
      return summary === row.summary || summary === undefined ? row : { ...row, summary }
    })
  }, [rows, planned, run?.plan_run_id])
  const ofPlans = told.filter((row, at) => row !== rows[at])
  return { run, rows: told, ofPlans }
}

type GapsProps = { rows: readonly RunRow[]; ofPlans: readonly RunRow[]; isFinding: boolean }

/** What the lists do not say. */
const Gaps = ({ rows, ofPlans, isFinding }: GapsProps) => {
  const { untold, cut } = gapsOf(rows)
  if (untold.length + cut.length + ofPlans.length === 0) return null
  return (
    <div className="changes-gaps quiet small">
      {untold.length > 0 && (
        <p>
          {many(untold.length, 'stack has', 'stacks have')} reported nothing yet: {listed(untold.map(({ key }) => key))}
          .
        </p>
      )}
      {ofPlans.length > 0 && (
        <p>
          Of {listed(ofPlans.map(({ key }) => key))} it is what the plan says: the apply has told nothing of{' '}
          {ofPlans.length === 1 ? 'it' : 'them'}.
        </p>
      )}
      {cut.length > 0 && (
        <p>
          Not every address is listed: the client tells 500 of each sort at most. The counts are whole; for{' '}
          {listed(cut.map(({ key }) => key))} the plan’s text has the rest
          {isFinding && ', and what is not listed is not found here'}.
        </p>
      )}
    </div>
  )
}

import { getRouteApi } from '@tanstack/react-router'
import { useDeferredValue, useMemo, useRef } from 'react'
import type { RunRow } from '../../api/run-types.ts'
import type { RunHead } from '../../live/run-store.ts'
import { Empty } from '../../parts/feedback/Empty.tsx'
import { Problem } from '../../parts/feedback/Problem.tsx'
import { Skeleton } from '../../parts/feedback/Skeleton.tsx'
import { useDrawnRows } from '../../table/useDrawnRows.ts'
import { summaryOf, usePlanned } from '../state/usePlanned.ts'
import { useRowsOfRun } from '../useRowsOfRun.ts'
import { ChangeLine } from './ChangeLine.tsx'
import { ChangesHead } from './ChangesHead.tsx'
import { changesOf, linesOf, nameOfLine } from './changes.ts'
import { Gaps } from './Gaps.tsx'
import '../../parts/box.css'
import './changes.css'

const route = getRouteApi('/runs/$id/changes')

/** All resources of the run by what its plans do with them, destroys first. */
export const ChangesTab = () => {
  const { run, rows, ofPlans, planned } = useToldRows()
  if (!run || planned.isReading) return <Skeleton lines={6} />
  const isTold = !planned.problem || rows.some(({ summary }) => summary !== undefined)
  return (
    <>
      {planned.problem && (
        <Problem problem={planned.problem} what="What its plan says could not be read" tryAgain={planned.tryNow} />
      )}
      {isTold && <ListedChanges run={run} rows={rows} ofPlans={ofPlans} />}
    </>
  )
}

type ListedChangesProps = { run: RunHead; rows: readonly RunRow[]; ofPlans: readonly RunRow[] }

const ListedChanges = ({ run, rows, ofPlans }: ListedChangesProps) => {
  const { find } = route.useSearch()
  const navigate = route.useNavigate()
  const wanted = useDeferredValue(find)
  const all = useMemo(() => changesOf(rows), [rows])
  const changes = useMemo(() => (wanted === undefined ? all : changesOf(rows, wanted)), [rows, wanted, all])
  const lines = useMemo(() => linesOf(changes), [changes])
  const body = useRef<HTMLUListElement>(null)
  const { from, to, row: height } = useDrawnRows(body, lines.length)
  const look = (find: string | undefined): void =>
    void navigate({ search: (before) => ({ ...before, find }), replace: true, resetScroll: false })
  return (
    <section className="box changes" aria-label="Changes">
      <ChangesHead all={all} found={changes} find={find} look={look} />
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
              <button type="button" className="button" onClick={() => look(undefined)}>
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
          <ChangeLine key={nameOfLine(line)} line={line} runId={run.id} mode={run.mode} />
        ))}
      </ul>
    </section>
  )
}

/** The rows with what is known of their changes: of an apply that is not done yet, what its plan says. */
const useToldRows = () => {
  const { run, rows } = useRowsOfRun()
  const planned = usePlanned()
  const { summaries } = planned
  const told = useMemo(() => {
    if (!summaries) return rows
    return rows.map((row) => {
      const summary = summaryOf(row, summaries.get(row.key), run?.plan_run_id)
      return summary === row.summary || summary === undefined ? row : { ...row, summary }
    })
  }, [rows, summaries, run?.plan_run_id])
  const ofPlans = told.filter((row, at) => row !== rows[at])
  return { run, rows: told, ofPlans, planned }
}

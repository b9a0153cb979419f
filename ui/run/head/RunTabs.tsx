import { Link, useNavigate } from '@tanstack/react-router'
import { useKeys } from '../../keys/registry.ts'
import type { RunHead } from '../../live/run-store.ts'
import type { Liveness } from '../../live/useLive.ts'
import { Live } from '../../parts/feedback/Live.tsx'
import { TabCount, Tabs } from '../../parts/Tabs.tsx'
import { summaryOf, usePlanned } from '../state/usePlanned.ts'
import { useRun } from '../state/useRun.ts'
import './run-tabs.css'

const tabs = [
  { name: 'Board', to: '/runs/$id' },
  { name: 'Timeline', to: '/runs/$id/timeline' },
  { name: 'Changes', to: '/runs/$id/changes' },
  { name: 'Gate', to: '/runs/$id/gate' },
  { name: 'Machine', to: '/runs/$id/machine' },
  { name: 'Warnings', to: '/runs/$id/warnings' },
] as const

/** The places of a run, with how much is behind them, and how current what they show is. */
export const RunTabs = ({ run, liveness }: { run: RunHead; liveness: Liveness }) => {
  const navigate = useNavigate({ from: '/runs/$id' })
  useKeys(
    tabs.map(({ name, to }, at) => ({
      keys: String(at + 1),
      does: name,
      act: () => void navigate({ to, params: { id: run.id }, search: (search) => search, resetScroll: false }),
    })),
  )
  const counts: Record<string, number> = { Changes: useChanges(run), Warnings: run.warnings?.length ?? 0 }
  return (
    <div className="run-tabs">
      <Tabs label="Of this run">
        {tabs.map(({ name, to }) => (
          <Link
            key={name}
            to={to}
            params={{ id: run.id }}
            search={(search) => search}
            resetScroll={false}
            activeOptions={{ exact: name === 'Board', includeSearch: false }}
          >
            {name}
            {counts[name] ? <TabCount of={counts[name]} /> : null}
          </Link>
        ))}
      </Tabs>
      <Live liveness={liveness} />
    </div>
  )
}

/** What its rows change, and what the plan says of those that have not told yet: as many as the tab lists; 0 until that is known. */
const useChanges = (run: RunHead): number => {
  const { rows } = useRun()
  const { summaries, isReading } = usePlanned()
  if (isReading) return 0
  return [...rows.values()].reduce((sum, row) => {
    const summary = summaryOf(row, summaries?.get(row.key), run.plan_run_id)
    return summary ? sum + summary.adds + summary.changes + summary.destroys + summary.replaces : sum
  }, 0)
}

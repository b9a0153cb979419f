import { Link, useNavigate } from '@tanstack/react-router'
import { useKeys } from '../../keys/registry.ts'
import type { RunHead } from '../../live/run-store.ts'
import type { Liveness } from '../../live/useLive.ts'
import { Live } from '../../parts/Live.tsx'
import { TabCount, Tabs } from '../../parts/Tabs.tsx'
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
  const counts: Record<string, number> = { Changes: changesOf(run), Warnings: run.warnings?.length ?? 0 }
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

const changesOf = ({ totals }: RunHead): number =>
  totals === undefined ? 0 : totals.adds + totals.changes + totals.destroys + totals.replaces

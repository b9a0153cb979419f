import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { readDispatches } from '../../api/dispatches.ts'
import { useLive } from '../../live/useLive.ts'
import { Inspector } from '../../machine/Inspector.tsx'
import { useRun } from '../state/useRun.ts'
import { FindMachine } from './FindMachine.tsx'
import { MachineChips } from './MachineChips.tsx'
import { mainChips, nearChips, stackChips } from './machines.ts'
import './machine-tab.css'

const route = getRouteApi('/runs/$id/machine')

/** The machines behind a run: its own, those of its dispatches, of its stacks, and of their locks. */
export const MachineTab = () => {
  const { id } = route.useParams()
  const { kind = 'run', of = id, seq } = route.useSearch()
  const navigate = route.useNavigate()
  const { run, rows } = useRun()
  const [isFinding, setFinding] = useState(false)
  const dispatches = useLive({
    key: ['dispatches', id],
    read: (signal) => readDispatches(id, signal),
    pace: 'list',
  })
  return (
    <>
      {run && (
        <ul className="machine-tab">
          <MachineChips chips={mainChips(run, dispatches.data ?? [])} chosen={of} />
          <MachineChips chips={nearChips(run, rows, of)} chosen={of} />
          {rows.size > 0 && (
            <li>
              <button type="button" className="button button-small" onClick={() => setFinding(true)}>
                All stacks and locks…
              </button>
            </li>
          )}
        </ul>
      )}
      {run && isFinding && <FindMachine chips={stackChips(run, rows)} chosen={of} onClose={() => setFinding(false)} />}
      <Inspector
        kind={kind}
        id={of}
        seq={seq}
        choose={(chosen) =>
          void navigate({ search: (search) => ({ ...search, seq: chosen }), replace: true, resetScroll: false })
        }
      />
    </>
  )
}

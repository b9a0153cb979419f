import { getRouteApi, Link } from '@tanstack/react-router'
import { readDispatches } from '../../api/dispatches.ts'
import { useLive } from '../../live/useLive.ts'
import { Inspector } from '../../machine/Inspector.tsx'
import './machine-tab.css'

const route = getRouteApi('/runs/$id/machine')

/** The machines of the run itself and of its dispatches; those of its stacks are reached from their pages. */
export const MachineTab = () => {
  const { id } = route.useParams()
  const { kind = 'run', of = id, seq } = route.useSearch()
  const navigate = route.useNavigate()
  const dispatches = useLive({
    key: ['dispatches', id],
    read: (signal) => readDispatches(id, signal),
    pace: 'list',
  })
  return (
    <>
      <ul className="machine-tab">
        <li>
          <Link
            from="/runs/$id/machine"
            search={(search) => ({ ...search, kind: undefined, of: undefined, seq: undefined })}
            aria-current={of === id ? 'true' : undefined}
          >
            The run
          </Link>
        </li>
        {dispatches.data?.map(({ id: dispatch, wave, part }) => (
          <li key={dispatch}>
            <Link
              from="/runs/$id/machine"
              search={(search) => ({ ...search, kind: 'dispatch', of: dispatch, seq: undefined })}
              aria-current={of === dispatch ? 'true' : undefined}
            >
              Dispatch {wave + 1}.{part}
            </Link>
          </li>
        ))}
      </ul>
      <Inspector
        kind={kind}
        id={of}
        seq={seq}
        choose={(chosen) => void navigate({ search: (search) => ({ ...search, seq: chosen }) })}
      />
    </>
  )
}

import { getRouteApi, Link } from '@tanstack/react-router'
import type { MachineKind } from '../api/machines.ts'
import { Empty } from '../parts/feedback/Empty.tsx'
import { useTitle } from '../shell/useTitle.ts'
import { Inspector } from './Inspector.tsx'

const route = getRouteApi('/machines/$kind/$id')

const names: Record<MachineKind, string> = {
  run: 'Machine of a run',
  stack: 'Machine of a stack in a run',
  lock: 'Machine of a lock',
  dispatch: 'Machine of a dispatch',
}

const isKind = (kind: string): kind is MachineKind => Object.hasOwn(names, kind)

/** What the machine is of: its id says it of all but a dispatch. */
const Ways = ({ kind, id }: { kind: MachineKind; id: string }) => {
  const run = kind === 'run' || kind === 'stack' ? id.split(':')[0] : undefined
  const stack = kind === 'lock' || kind === 'stack' ? id.split(':').at(-1) : undefined
  return (
    <>
      {run !== undefined && (
        <Link to="/runs/$id" params={{ id: run }}>
          The run
        </Link>
      )}
      {stack !== undefined && (
        <Link to="/stacks/$id" params={{ id: stack }}>
          The stack
        </Link>
      )}
    </>
  )
}

/** The inspector of one machine on its own, for links out of logs and tickets. */
export const MachinePage = () => {
  const { kind, id } = route.useParams()
  const { seq } = route.useSearch()
  const navigate = route.useNavigate()
  const title = isKind(kind) ? names[kind] : 'Machine'
  useTitle(title)
  return (
    <>
      <h1>{title}</h1>
      <p className="machine-of quiet">
        <code>{id}</code>
        {isKind(kind) && <Ways kind={kind} id={id} />}
      </p>
      {isKind(kind) ? (
        <Inspector
          kind={kind}
          id={id}
          seq={seq}
          choose={(chosen) => void navigate({ search: { seq: chosen }, replace: true, resetScroll: false })}
        />
      ) : (
        <Empty why={`There is no machine of the kind '${kind}'. The kinds are run, stack, lock and dispatch.`} />
      )}
    </>
  )
}

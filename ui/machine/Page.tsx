import { getRouteApi } from '@tanstack/react-router'
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
      <p className="quiet">
        <code>{id}</code>
      </p>
      {isKind(kind) ? (
        <Inspector kind={kind} id={id} seq={seq} choose={(chosen) => void navigate({ search: { seq: chosen } })} />
      ) : (
        <Empty why={`There is no machine of the kind '${kind}'. The kinds are run, stack, lock and dispatch.`} />
      )}
    </>
  )
}

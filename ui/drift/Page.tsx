import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { readRepositories } from '../api/repositories.ts'
import { readDrifted } from '../api/stacks.ts'
import { Field } from '../list/Field.tsx'
import { isFiltered } from '../list/filters.ts'
import { ListHead } from '../list/ListHead.tsx'
import { ListProblem } from '../list/ListProblem.tsx'
import { Removable } from '../list/Removable.tsx'
import { WentBy } from '../list/WentBy.tsx'
import { useLive } from '../live/useLive.ts'
import { Empty } from '../parts/feedback/Empty.tsx'
import { Skeleton } from '../parts/feedback/Skeleton.tsx'
import { useTitle } from '../shell/useTitle.ts'
import { Group } from './Group.tsx'
import { groupsOf, sizeOf } from './groups.ts'
import '../list/list.css'

const route = getRouteApi('/drift')

type Search = ReturnType<typeof route.useSearch>

/** The stacks that are not as their code says: those that changed alike are together, since one cause is likely. */
export const DriftPage = () => {
  const { repo, q } = route.useSearch()
  const navigate = route.useNavigate()
  useTitle('Drift')
  const repositories = useQuery({ queryKey: ['repositories'], queryFn: ({ signal }) => readRepositories(signal) })
  const { data, problem, liveness } = useLive({
    key: ['drifted', repo ?? '', q ?? ''],
    read: (signal) => readDrifted({ repo, q }, signal),
    // checks are hours apart
    pace: 'over',
  })
  const set = (next: Search): void =>
    void navigate({ search: (before) => ({ ...before, ...next }), replace: true, resetScroll: false })
  const remove = (name?: string): void =>
    set(name === undefined ? { repo: undefined, q: undefined } : { [name]: undefined })
  const stacks = data?.items
  const groups = useMemo(() => stacks && groupsOf(stacks), [stacks])
  const asked = { repo, q }
  return (
    <>
      <ListHead title="Drift" liveness={liveness} size={stacks && sizeOf(stacks, data?.next_cursor === undefined)} />
      <div className="list-tools">
        <div className="fields">
          <Field
            label="Repository"
            placeholder="owner/name"
            value={repo}
            options={repositories.data?.items.map(({ full_name: name }) => name) ?? []}
            set={(repo) => set({ repo })}
          />
          <Field label="Stack" placeholder="Part of its key" value={q} set={(q) => set({ q })} />
        </div>
      </div>
      {problem && <ListProblem {...{ problem, asked, remove }} what="what drifted" tryAgain={liveness.tryNow} />}
      {!problem && groups === undefined && <Skeleton lines={8} />}
      {data && <WentBy asked={asked} answered={data.filters} />}
      {groups?.length === 0 &&
        (isFiltered(asked) ? (
          <Empty why="No stack that drifted is as these filters say.">
            <Removable asked={asked} remove={remove} />
          </Empty>
        ) : (
          <Empty why="No stack has drifted by its newest check.">
            <p>
              A repository is checked where <code>drift.schedule</code> in its svc.yml says when.
            </p>
          </Empty>
        ))}
      {groups?.map((group) => (
        <Group key={group.id} group={group} />
      ))}
    </>
  )
}

import { getRouteApi, Link, Outlet } from '@tanstack/react-router'
import { readAllRepositories } from '../api/repositories.ts'
import { useKeys } from '../keys/registry.ts'
import { useLive } from '../live/useLive.ts'
import { Crumbs } from '../parts/Crumbs.tsx'
import { Live } from '../parts/feedback/Live.tsx'
import { Icon } from '../parts/Icon.tsx'
import { TabCount, Tabs } from '../parts/Tabs.tsx'
import { many } from '../parts/words.ts'
import { NotThere } from '../shell/NotThere.tsx'
import { PageProblem } from '../shell/PageProblem.tsx'
import { useMe } from '../shell/useMe.ts'
import { useTitle } from '../shell/useTitle.ts'
import './repository.css'

const route = getRouteApi('/repos/$owner/$repo')

const tabs = [
  { name: 'Stacks', to: '/repos/$owner/$repo' },
  { name: 'Runs', to: '/repos/$owner/$repo/runs' },
  { name: 'Graph', to: '/repos/$owner/$repo/graph' },
  { name: 'Locks', to: '/repos/$owner/$repo/locks' },
] as const

/** A repository: what there is of it, and the places of its stacks, runs, graph and locks. */
export const RepositoryPage = () => {
  const { owner, repo } = route.useParams()
  const name = `${owner}/${repo}`
  const navigate = route.useNavigate()
  const me = useMe()
  useTitle(name)
  const { data, problem, liveness } = useLive({ key: ['all repositories'], read: readAllRepositories, pace: 'list' })
  useKeys(
    tabs.map(({ name, to }, at) => ({
      keys: String(at + 1),
      does: name,
      act: () => void navigate({ to, params: { owner, repo }, resetScroll: false }),
    })),
  )
  if (problem) return <PageProblem problem={problem} what="the repository" tryAgain={liveness.tryNow} />
  const found = data?.items.find(({ full_name: one }) => one.toLowerCase() === name.toLowerCase())
  if (data && !found) return <NotThere what={`the repository ${name}`} />
  const counts: Record<string, number | undefined> = { Stacks: found?.stacks, Locks: found?.locks_held }
  return (
    <>
      <Crumbs>
        <li>
          <Link to="/repos">Repositories</Link>
        </li>
        <li>{name}</li>
      </Crumbs>
      <header className="page-head">
        <h1>{name}</h1>
        {me && (
          <a className="button button-small" href={`${me.codehost_url.replace(/\/$/, '')}/${name}`}>
            On the code host <Icon name="outside" />
          </a>
        )}
        <p className="quiet">
          {found
            ? [many(found.stacks, 'stack'), `${found.drifted} drifted`, `${many(found.locks_held, 'lock')} held`].join(
                ' · ',
              )
            : '\u00a0'}
          {found && (
            <>
              {' · '}default branch <code>{found.default_branch}</code>
            </>
          )}
        </p>
      </header>
      <div className="repository-tabs">
        <Tabs label="Of this repository">
          {tabs.map(({ name, to }) => (
            <Link
              key={name}
              to={to}
              params={{ owner, repo }}
              resetScroll={false}
              activeOptions={{ exact: name === 'Stacks', includeSearch: false }}
            >
              {name}
              {counts[name] ? <TabCount of={counts[name]} /> : null}
            </Link>
          ))}
        </Tabs>
        <Live liveness={liveness} />
      </div>
      <Outlet />
    </>
  )
}

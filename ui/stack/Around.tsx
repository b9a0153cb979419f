import { Link } from '@tanstack/react-router'
import type { StackDetail } from '../api/stacks.ts'
import { ownerAndRepo } from '../parts/owner-and-repo.ts'
import { Key } from '../parts/text/Key.tsx'
import { many } from '../parts/words.ts'

/** The modules that the stack uses, and how far behind it is. */
export const Modules = ({ stack: { modules = [] } }: { stack: StackDetail }) => (
  <section className="box" aria-labelledby="stack-modules">
    <h2 id="stack-modules">
      Modules <span className="quiet">{modules.length}</span>
    </h2>
    {modules.length === 0 && <p className="box-rest quiet">It uses none.</p>}
    <ul className="stack-list">
      {modules.map(({ module_key: key, ref, latest, behind }) => (
        <li key={`${key} ${ref}`}>
          <span className="stack-name">
            <Key of={key} />
          </span>
          <span className="quiet small">
            {ref === undefined ? 'as it is there' : `asks for ${ref}`}
            {latest !== undefined && `, newest ${latest}`}
          </span>
          {behind !== undefined && (
            <span className={behind > 0 ? 'small stack-behind' : 'quiet small'}>
              {behind > 0 ? `${behind} behind` : 'up to date'}
            </span>
          )}
        </li>
      ))}
    </ul>
  </section>
)

/** What the stack needs, and what needs it, in other repositories too. */
export const Neighbours = ({ stack: { repo, key, neighbours = [] } }: { stack: StackDetail }) => {
  const of = (which: Neighbour['relation']): Neighbour[] => neighbours.filter(({ relation }) => relation === which)
  const [needs, neededBy] = [of('dependency'), of('dependent')]
  return (
    <section className="box" aria-labelledby="stack-neighbours">
      <div className="box-title">
        <h2 id="stack-neighbours">Dependencies, both ways</h2>
        <Link to="/repos/$owner/$repo/graph" params={ownerAndRepo(repo)} search={{ stack: key }}>
          In the graph
        </Link>
      </div>
      <div className="box-rest stack-neighbours">
        <Stacks title={`It needs ${needs.length === 0 ? 'none' : needs.length}`} stacks={needs} of={repo} />
        <Stacks
          title={`${many(neededBy.length, 'stack')} ${neededBy.length === 1 ? 'needs' : 'need'} it`}
          stacks={neededBy}
          of={repo}
        />
      </div>
    </section>
  )
}

type Neighbour = NonNullable<StackDetail['neighbours']>[number]

const Stacks = ({ title, stacks, of }: { title: string; stacks: readonly Neighbour[]; of: string }) => (
  <div>
    <h3>{title}</h3>
    <ul>
      {stacks.map(({ id, repo, key }) => (
        <li key={id}>
          <Link to="/stacks/$id" params={{ id }}>
            <Key of={key} />
            {repo !== of && <span className="quiet small"> {repo}</span>}
          </Link>
        </li>
      ))}
    </ul>
  </div>
)

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

/** What the stack needs, and what needs it, by key in its repository. */
export const Neighbours = ({ stack: { repo, dependencies = [], dependents = [] } }: { stack: StackDetail }) => (
  <section className="box" aria-labelledby="stack-neighbours">
    <h2 id="stack-neighbours">Dependencies, both ways</h2>
    <div className="box-rest stack-neighbours">
      <Keys
        title={`It needs ${dependencies.length === 0 ? 'none' : dependencies.length}`}
        keys={dependencies}
        of={repo}
      />
      <Keys
        title={`${many(dependents.length, 'stack')} ${dependents.length === 1 ? 'needs' : 'need'} it`}
        keys={dependents}
        of={repo}
      />
    </div>
  </section>
)

const Keys = ({ title, keys, of }: { title: string; keys: readonly string[]; of: string }) => (
  <div>
    <h3>{title}</h3>
    <ul>
      {keys.map((key) => (
        <li key={key}>
          <Link to="/repos/$owner/$repo" params={ownerAndRepo(of)} search={{ q: key }}>
            <Key of={key} />
          </Link>
        </li>
      ))}
    </ul>
  </div>
)

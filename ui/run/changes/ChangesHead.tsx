import { Counts } from '../../parts/Counts.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { useTyped } from '../../parts/useTyped.ts'
import { many } from '../../parts/words.ts'
import type { Changes, Doing } from './changes.ts'

type ChangesHeadProps = {
  all: readonly Changes[]
  /** Those that have what somebody looks for in their addresses. */
  found: readonly Changes[]
  find: string | undefined
  look: (text: string | undefined) => void
}

const sumOf = (changes: readonly Changes[]): number => changes.reduce((sum, { total }) => sum + total, 0)

/** How many resources are changed in all, and a field that finds some of them. */
export const ChangesHead = ({ all, found, find, look }: ChangesHeadProps) => {
  const [typed, type] = useTyped(find, look)
  const totalOf = (doing: Doing): number => all.find((one) => one.doing === doing)?.total ?? 0
  return (
    <header className="changes-head">
      <h2>{many(sumOf(all), 'resource')}</h2>
      <Counts
        of={{
          add: totalOf('add'),
          change: totalOf('change'),
          destroy: totalOf('destroy'),
          replace: totalOf('replace'),
        }}
      />
      <div className="changes-find">
        <Icon name="find" />
        <input
          type="text"
          aria-label="Find by address"
          placeholder="Find by address"
          value={typed}
          onChange={(event) => type(event.target.value)}
          onKeyDown={(event) => event.key === 'Escape' && type('')}
          spellCheck={false}
          autoComplete="off"
        />
        {find !== undefined && <span className="quiet small">{many(sumOf(found), 'match', 'matches')}</span>}
      </div>
    </header>
  )
}

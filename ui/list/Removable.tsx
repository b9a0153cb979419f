import { Icon } from '../parts/Icon.tsx'
import { type Asked, filterWords } from './filters.ts'
import '../parts/chip.css'

/** Takes a filter away by its name, or all of them. */
export type Remove = (name?: string) => void

/** The filters that are on, each to be taken away. */
export const Removable = ({ asked, remove }: { asked: Asked; remove: Remove }) => {
  const given = Object.entries(asked).filter(([, value]) => value !== undefined)
  return (
    <div className="removable">
      {given.map(([name, value]) => (
        <button key={name} type="button" className="chip" onClick={() => remove(name)}>
          {filterWords(name, String(value))}
          <Icon name="close" />
          <span className="unseen">, take this filter away</span>
        </button>
      ))}
      {given.length > 1 && (
        <button type="button" className="button button-small" onClick={() => remove()}>
          Take all away
        </button>
      )}
    </div>
  )
}

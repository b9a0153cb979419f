import type { Reach } from './ends.ts'

type GraphToolsProps = { counts: { needs: number; needed: number }; reach: Reach; setReach: (reach: Reach) => void }

/** How far the neighbourhood of the chosen stack goes. */
export const GraphTools = ({ counts, reach, setReach }: GraphToolsProps) => {
  const options: { reach: Reach; name: string }[] = [
    { reach: 'next', name: 'Next to it' },
    { reach: 'needed', name: `All that needs it, ${counts.needed}` },
    { reach: 'needs', name: `All it needs, ${counts.needs}` },
  ]
  return (
    <fieldset className="chips">
      <legend className="unseen">How far from the chosen stack</legend>
      {options.map(({ reach: one, name }) => (
        <button
          key={one}
          type="button"
          className="chip graph-reach"
          aria-pressed={one === reach}
          onClick={() => setReach(one)}
        >
          {name}
        </button>
      ))}
    </fieldset>
  )
}

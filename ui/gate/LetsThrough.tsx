import type { Gate } from '../api/gate.ts'
import { Copy } from '../parts/text/Copy.tsx'
import { Key } from '../parts/text/Key.tsx'
import { sizeWords } from './verdict-words.ts'

/** Keys of a wave that are named; a run of 2,000 stacks has its board for the others. */
const shown = 12

/** Which stacks an apply is over, wave by wave, and the comment that begins it. */
export const LetsThrough = ({ gate }: { gate: Gate }) => {
  const { waves = [], comment, allowed, decided_at } = gate
  const isOver = decided_at !== undefined
  if (waves.length === 0 && comment === undefined) return null
  return (
    <section className="box gate-through" aria-labelledby="gate-through">
      <h3 id="gate-through">
        {isOver ? 'What it let through' : allowed ? 'What it lets through' : 'Once nothing refuses'}
      </h3>
      {waves.length > 0 && (
        <div className="box-rest">
          <p>
            {isOver ? 'An apply of ' : 'An apply would be of '}
            <strong>{sizeWords(gate)}</strong>.
          </p>
          {waves.map((keys, at) => (
            <Wave key={keys[0] ?? at} number={at + 1} keys={keys} />
          ))}
        </div>
      )}
      {!isOver && comment !== undefined && (
        <div className="box-rest">
          <h4>The comment to type in the pull request</h4>
          <p className="gate-comment">
            <code>{comment}</code>
            <Copy text={comment} what="the comment" label="Copy" />
          </p>
          {!allowed && <p className="quiet small">Now it would be answered with what refuses; nothing else happens.</p>}
        </div>
      )}
    </section>
  )
}

const Wave = ({ number, keys }: { number: number; keys: readonly string[] }) => (
  <>
    <h4>Wave {number}</h4>
    <ul className="gate-keys">
      {keys.slice(0, shown).map((key) => (
        <li key={key}>
          <Key of={key} />
        </li>
      ))}
      {keys.length > shown && <li className="quiet">and {keys.length - shown} more</li>}
    </ul>
  </>
)

import type { StatusLook } from '../status/table.ts'
import './status-bar.css'

type Part = { look: StatusLook; count: number }

/** How many there are of each status, as a bar: the widths go by the counts, the order is the one it is given. */
export const StatusBar = ({ parts }: { parts: Part[] }) => {
  const shown = parts.filter(({ count }) => count > 0)
  return (
    <div
      className="status-bar"
      role="img"
      aria-label={shown.map(({ look, count }) => `${count} ${look.word}`).join(', ')}
    >
      {shown.map(({ look, count }) => (
        <span
          key={look.word}
          className="status-bar-part"
          data-tone={look.tone}
          data-pattern={look.icon === 'dashes' ? 'empty' : look.pattern}
          style={{ flexGrow: count }}
        />
      ))}
    </div>
  )
}

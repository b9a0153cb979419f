import type { Output, Paint } from '../output/output.ts'
import { shown } from '../print/table.ts'

/** What a plan adds, destroys, replaces and changes, by the sign that its line begins with. */
const paintOf = (line: string): Paint | undefined => {
  const [sign] = line.trimStart()
  if (sign === '+') return 'green'
  if (sign === '-') return 'red'
  return sign === '~' || sign === '±' ? 'yellow' : undefined
}

/** A plan as a terminal shows it: in colours, and with nothing in it that the terminal would obey. */
export const colouredPlan = (text: string, paint: Output['paint']): string =>
  text
    .split('\n')
    .map((line) => {
      const safe = line.split('\t').map(shown).join('\t')
      const style = paintOf(line)
      return style === undefined || safe === '' ? safe : paint(style, safe)
    })
    .join('\n')

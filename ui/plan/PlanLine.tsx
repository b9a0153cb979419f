import { memo } from 'react'
import { type Match, piecesOf } from './find.ts'
import { toneOf } from './sign.ts'

type PlanLineProps = {
  text: string
  /** Counted from 1. */
  number: number
  isChosen: boolean
  /** The one line of a section that the tab key stops at. */
  isStop: boolean
  matches: readonly Match[]
  /** The match that was gone to, as an index. */
  current: number | undefined
}

/** A line with its number, which is a link to it. */
export const PlanLine = memo(({ text, number, isChosen, isStop, matches, current }: PlanLineProps) => (
  <div className="plan-line" data-does={toneOf(text)} data-chosen={isChosen || undefined}>
    <a className="plan-no" href={`#L${number}`} aria-label={`Line ${number}`} tabIndex={isStop ? 0 : -1}>
      {number}
    </a>
    <span>
      {piecesOf(text, number - 1, matches).map(({ text: piece, match }, at) =>
        match === undefined ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other name, and their order is theirs
          <Emphasised key={at} text={piece} />
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          <mark key={at} className={match === current ? 'plan-match' : undefined}>
            {piece}
          </mark>
        ),
      )}
    </span>
  </div>
))

const forces = '# forces replacement'

/** The tool's own note on what forces a replacement is the one thing not to be missed. */
const Emphasised = ({ text }: { text: string }) => {
  const at = text.indexOf(forces)
  if (at < 0) return text
  return (
    <>
      {text.slice(0, at)}
      <em>{forces}</em>
      {text.slice(at + forces.length)}
    </>
  )
}

import { Link } from '@tanstack/react-router'
import type { RefObject } from 'react'
import { Problem } from '../parts/feedback/Problem.tsx'
import { Key } from '../parts/text/Key.tsx'
import { many } from '../parts/words.ts'
import { StatusIconOf } from '../status/Status.tsx'
import { fewest, type Hit } from './hits.ts'
import type { Found } from './useFound.ts'

type HitsProps = {
  id: string
  list: RefObject<HTMLDivElement | null>
  text: string
  found: Found
  chosen: number
  choose: (at: number) => void
  onOpened: (() => void) | undefined
}

/** What was found, kind by kind, one of it chosen. */
export const Hits = ({ id, list, text, found, chosen, choose, onOpened }: HitsProps) => {
  const { groups = [], problem, tryAgain } = found
  const all = groups.flatMap(({ hits }) => hits)
  return (
    <>
      {problem && <Problem problem={problem} what="The search did not work" tryAgain={tryAgain} />}
      <p className="finder-note quiet small" role="status">
        {noteOf(text, found, all.length)}
      </p>
      <div
        ref={list}
        id={`${id}-list`}
        role="listbox"
        aria-label="Found"
        className="finder-hits"
        hidden={all.length === 0}
        aria-busy={!found.isCurrent}
      >
        {groups.map(({ heading, hits }) => (
          // biome-ignore lint/a11y/useSemanticElements: a listbox holds groups, and no fieldset
          <div key={heading} role="group" aria-label={heading}>
            <p className="finder-kind" aria-hidden="true">
              {heading}
            </p>
            {hits.map((hit) => {
              const at = all.indexOf(hit)
              return (
                <Option key={hit.id} {...{ hit, at, id: `${id}-${at}`, isChosen: at === chosen, choose, onOpened }} />
              )
            })}
          </div>
        ))}
      </div>
    </>
  )
}

type OptionProps = { hit: Hit; at: number; id: string; isChosen: boolean } & Pick<HitsProps, 'choose' | 'onOpened'>

const Option = ({ hit: { name, beside, look, to }, at, id, isChosen, choose, onOpened }: OptionProps) => (
  <Link
    {...to}
    id={id}
    role="option"
    aria-selected={isChosen}
    data-hit={at}
    tabIndex={-1}
    className="finder-hit"
    onMouseMove={() => choose(at)}
    onClick={onOpened}
  >
    {look && <StatusIconOf look={look} title={look.word} />}
    <span className="finder-name">
      <Key of={name} />
    </span>
    {beside !== undefined && <span className="finder-beside quiet small">{beside}</span>}
  </Link>
)

const noteOf = (text: string, { groups, isCurrent, problem }: Found, count: number): string => {
  if (problem) return ''
  if (text.trim() === '')
    return 'By words of a name, by the number of a pull request, by the first digits of a run or a commit.'
  if (text.trim().length < fewest) return 'Two characters or more.'
  if (groups === undefined) return 'Looking…'
  if (count > 0) return many(count, 'is found', 'are found')
  return isCurrent ? `Nothing that you may see has “${text.trim()}” in its name.` : 'Looking…'
}

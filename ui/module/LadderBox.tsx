import { Time } from '../parts/text/Time.tsx'
import { many } from '../parts/words.ts'
import { type Ladder, type Rung, type Step, stepsOf } from './ladder.ts'

type LadderBoxProps = {
  ladder: Ladder
  latest: string | undefined
  at: string | undefined
  choose: (at: string | undefined) => void
}

/** Versions from the newest to the oldest, with how many stacks ask for each. */
export const LadderBox = ({ ladder: { rungs, without }, latest, at, choose }: LadderBoxProps) => {
  const most = Math.max(1, ...rungs.map(({ stacks }) => stacks.length))
  const toggle = (version: string): void => choose(version === at ? undefined : version)
  return (
    <section className="box module-ladder" aria-labelledby="ladder">
      <h2 id="ladder">
        {many(rungs.filter(({ isKnown }) => isKnown).length, 'version')}{' '}
        <span className="quiet">and who asks for each</span>
      </h2>
      <ol className="ladder">
        {stepsOf(rungs).map((step) => (
          <li key={keyOf(step)}>
            {'nobody' in step ? (
              <p className="ladder-nobody quiet small">{step.nobody.length} versions that nobody asks for</p>
            ) : (
              <RungLine
                rung={step}
                most={most}
                isLatest={step.version === latest}
                isOn={step.version === at}
                toggle={toggle}
              />
            )}
          </li>
        ))}
      </ol>
      {without.length > 0 && (
        <div className="ladder-without">
          <button type="button" className="ladder-all" aria-pressed={at === 'none'} onClick={() => toggle('none')}>
            {many(without.length, 'stack')} without a version
          </button>
          <p className="quiet small">A branch, a commit or a range says no number: how far behind cannot be said.</p>
        </div>
      )}
    </section>
  )
}

const keyOf = (step: Step): string => ('nobody' in step ? `nobody ${step.nobody[0]?.version}` : step.version)

type RungLineProps = { rung: Rung; most: number; isLatest: boolean; isOn: boolean; toggle: (version: string) => void }

const RungLine = ({ rung: { version, taggedAt, stacks, isKnown }, most, isLatest, isOn, toggle }: RungLineProps) => {
  const behind = stacks[0]?.behind ?? 0
  return (
    <button
      type="button"
      className="rung"
      aria-pressed={isOn}
      data-newest={isLatest || undefined}
      disabled={stacks.length === 0}
      data-tone={behind === 0 ? 'applied' : 'unknown'}
      onClick={() => toggle(version)}
    >
      <span className="rung-version">
        <code>{version}</code>
        <span className="quiet small">
          {taggedAt !== undefined && <Time at={taggedAt} focusable={false} />}
          {!isKnown && 'no tag of this name'}
        </span>
      </span>
      <span className="rung-bar" aria-hidden="true">
        {stacks.length > 0 && <span style={{ width: `${Math.max(4, (stacks.length / most) * 100)}%` }} />}
      </span>
      <span className="rung-count small">
        {stacks.length === 0 ? <span className="quiet">nobody</span> : many(stacks.length, 'stack')}
        <span className="rung-behind">{isLatest ? 'newest' : behind > 0 && `${behind} behind`}</span>
      </span>
    </button>
  )
}

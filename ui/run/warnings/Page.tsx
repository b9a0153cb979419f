import { Link } from '@tanstack/react-router'
import type { Run } from '../../api/run-types.ts'
import { Empty } from '../../parts/feedback/Empty.tsx'
import { Prose } from '../../parts/text/Prose.tsx'
import { Time } from '../../parts/text/Time.tsx'
import { useRun } from '../state/useRun.ts'
import { warningsInOrder } from './in-order.ts'
import '../../parts/box.css'
import './warnings.css'

/** What the run warned of, the newest first, with the stacks and settings that it is about. */
export const WarningsTab = () => {
  const { run } = useRun()
  if (!run) return null
  const warnings = warningsInOrder(run.warnings ?? [])
  if (warnings.length === 0) return <Empty why="This run has no warnings." />
  return (
    <ul className="warnings">
      {warnings.map((warning) => (
        <li key={`${warning.code} ${warning.at ?? ''} ${warning.message}`} className="box">
          <Warning of={warning} id={run.id} />
        </li>
      ))}
    </ul>
  )
}

type WarningOf = NonNullable<Run['warnings']>[number]

const Warning = ({ of: { code, message, keys = [], stacks = [], at }, id }: { of: WarningOf; id: string }) => (
  <div className="box-rest">
    <p>
      <Prose of={message} />
    </p>
    {stacks.length > 0 && (
      <ul className="warning-about">
        {stacks.map((key) => (
          <li key={key}>
            <Link to="/runs/$id" params={{ id }} search={{ stack: key }}>
              {key}
            </Link>
          </li>
        ))}
      </ul>
    )}
    {keys.length > 0 && (
      <ul className="warning-about">
        {keys.map((key) => (
          <li key={key}>
            <code>{key}</code>
          </li>
        ))}
      </ul>
    )}
    <p className="quiet small">
      <code>{code}</code>
      {at !== undefined && (
        <>
          {' '}
          · <Time at={at} as="moment" />
        </>
      )}
    </p>
  </div>
)

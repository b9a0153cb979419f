import type { RunRow } from '../../api/run-types.ts'
import { PanelPart } from '../../parts/overlay/Panel.tsx'
import { Outside } from '../../parts/text/Outside.tsx'
import { Status } from '../../status/Status.tsx'
import { looks, type StatusLook } from '../../status/table.ts'

type Check = NonNullable<RunRow['checks']>[number]

const lookOf: Record<Check['status'], StatusLook> = {
  pass: { ...looks.verdict.pass, word: 'passed' },
  warn: { ...looks.stack.unconfirmed, word: 'warned' },
  fail: { ...looks.verdict.fail, word: 'failed' },
}

/** The named checks of the stack's plan. */
export const Checks = ({ row: { checks = [] } }: { row: RunRow }) =>
  checks.length === 0 ? null : (
    <PanelPart heading="Checks">
      <ul>
        {checks.map(({ name, status, summary, details_url: url }) => (
          <li key={name}>
            <Status look={lookOf[status]} /> {name}
            {summary !== undefined && <span className="quiet">: {summary}</span>}{' '}
            {url !== undefined && <Outside href={url}>details</Outside>}
          </li>
        ))}
      </ul>
    </PanelPart>
  )

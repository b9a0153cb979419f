import type { AuditEntry } from '../api/audit.ts'
import { FactsDialog } from '../list/FactsDialog.tsx'
import { exactWords } from '../parts/time-words.ts'
import { detailsOf, didWords } from './audit-words.ts'
import { About } from './columns.tsx'

/** An entry of the audit log, whole. */
export const Entry = ({ of, onClose }: { of: AuditEntry; onClose: () => void }) => (
  <FactsDialog
    title={`${of.actor} ${didWords(of)}`}
    onClose={onClose}
    facts={[
      ['when', exactWords(Date.parse(of.at))],
      ['action', <code key="action">{of.action}</code>],
      ['about', <About key="about" entry={of} />],
      ...detailsOf(of),
    ]}
  />
)

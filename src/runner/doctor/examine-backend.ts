import type { Graph, StackNode } from '#domain/graph/graph.ts'
import { type Finding, findingsOf } from './finding.ts'

const { ok, warn } = findingsOf('backend')

const keyed = (stacks: readonly StackNode[]): string => {
  const [first, ...others] = stacks.map(({ key }) => key)
  return others.length === 0 ? `${first}` : `${first} and ${others.length} more`
}

const typesOf = (stacks: readonly StackNode[]): string =>
  [...new Set(stacks.flatMap(({ backend }) => (backend === undefined ? [] : [backend.type])))].sort().join(', ')

/** Examines where the stacks keep their state: a file in a job's checkout is gone with the job. */
export const examineBackends = ({ stacks }: Pick<Graph, 'stacks'>): Finding[] => {
  const own = stacks.filter(({ external }) => !external)
  const local = own.filter(({ backend }) => backend?.type === 'local')
  const unlocked = own.filter(({ backend }) => backend?.type === 's3' && backend.use_lockfile === false)
  if (own.length === 0) return []
  return [
    ...(local.length === 0 ? [ok(`every stack keeps its state in a backend: ${typesOf(own)}`)] : []),
    ...(local.length > 0
      ? [
          warn(
            `${keyed(local)} keep${local.length === 1 ? 's its' : ' their'} state in a local file, which is gone with the job that wrote it`,
            'give it a backend block, such as s3, gcs, azurerm or cloud',
          ),
        ]
      : []),
    ...(unlocked.length > 0
      ? [warn(`${keyed(unlocked)} turned the lock of the state off: use_lockfile = false`, 'take that line away')]
      : []),
  ]
}

import type { StackStatus } from '#api/runs/run-stack.ts'
import type { RunRow } from '../../api/run-types.ts'

/** Of the address: which stacks the board shows. */
export type Filter = { status?: StackStatus[] | undefined; q?: string | undefined }

export const isFiltered = ({ status, q }: Filter): boolean => status !== undefined || q !== undefined

/** The words of `q` are all in the key, in any order. */
export const filterOf = ({ status, q }: Filter): ((row: RunRow) => boolean) => {
  const words = (q ?? '')
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  return (row) => {
    if (status !== undefined && !status.includes(row.status)) return false
    const key = row.key.toLowerCase()
    return words.every((word) => key.includes(word))
  }
}

import type { ResolveResponse } from '#api/runs/resolve.ts'

type Lists = 'affected' | 'waves' | 'matrix'

/** What a graph resolves to, with the lists that an answer leaves out where they are empty. */
export type Resolved = Omit<ResolveResponse, Lists> & { [List in Lists]: NonNullable<ResolveResponse[List]> }

export const resolvedOf = (answer: ResolveResponse): Resolved => ({
  ...answer,
  affected: answer.affected ?? [],
  waves: answer.waves ?? [],
  matrix: answer.matrix ?? { include: [] },
})

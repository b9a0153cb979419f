import type { ResolveAnswer } from '#domain/resolution/resolve-answer.ts'
import { present } from './shape-run.ts'

/** What a graph resolved to, as the API shows it (docs/interface.md, 'ResolveResponse'). */
export const shapeResolution = ({ affected, waves, matrix, ...rest }: ResolveAnswer) => ({
  ...rest,
  ...present({ affected, waves, matrix: matrix.include.length === 0 ? undefined : matrix }),
})

import { globProblem, isLiteral } from '#domain/config/glob.ts'
import { pathFrom } from '#domain/keys.ts'
import { beginningOf } from '../../hcl/evaluate.ts'
import type { Scope } from '../../hcl/traverse.ts'
import type { FileRead } from '../facts/file-facts.ts'

/** What is read: a path, and of many files the glob below it. */
type ReadPath = { path: string; below: string }

const segmentsKnown = ({ text, isWhole }: { text: string; isWhole: boolean }): string[] =>
  isWhole ? text.split('/') : text.split('/').slice(0, -1)

/** A pattern from its first wildcard on; everything if that is not known, or no glob for us. */
const globOf = (segments: readonly string[], isWhole: boolean): string => {
  const glob = segments.join('/')
  if (isWhole && segments.length === 0) return ''
  return isWhole && globProblem(glob) === undefined ? glob : '**'
}

/**
 * What a call or a string reads, with paths relative to where the tool runs. Of a path that is known only in part, everything is
 * read below the directory that the known part names. A pattern may itself lead elsewhere (`../policies/*.json`), so it is judged
 * from where its first wildcard is. Undefined if nothing is known of the path, or it is outside of the repository.
 */
export const readPath = (read: FileRead, root: string, scope: Scope): ReadPath | undefined => {
  const found = beginningOf(read.path, scope)
  if (found === undefined || found.text.startsWith('/')) return undefined
  const { isWhole } = found
  const start = segmentsKnown(found).join('/')
  if (!isWhole || read.pattern === undefined) {
    const path = pathFrom(root, isWhole ? start : `./${start}`)
    return path === undefined ? undefined : { path, below: isWhole ? '' : '**' }
  }
  const pattern = beginningOf(read.pattern, scope) ?? { text: '', isWhole: false }
  const segments = segmentsKnown(pattern)
  const wild = segments.findIndex((segment) => !isLiteral(segment) && segment !== '')
  const literal = wild < 0 ? segments : segments.slice(0, wild)
  const path = pathFrom(root, [start, ...literal].join('/'))
  return path === undefined ? undefined : { path, below: globOf(segments.slice(literal.length), pattern.isWhole) }
}

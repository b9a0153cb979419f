import { isInstanceName, pathFrom } from '../keys.ts'
import { filled, type Named, placeholderProblem } from './placeholders.ts'

/*
 * `instances: { from: "env/*.tfvars" }`: each file of that name makes an instance, and what the star stands for is its name. The
 * files are in the tree, which only a scan sees. Who has a graph alone takes each instance in it for one of these.
 */

const MAX_CHARS = 300

/** What the names of a directory's files begin and end with, from the repository's root: what is between is the instance. */
export type FilePattern = { before: string; after: string }

/** Why such a text is refused; undefined if it is right. */
export const instancesFromProblem = (text: string): string | undefined => {
  if (text.length > MAX_CHARS) return `is longer than ${MAX_CHARS} characters`
  const stars = text.split('*').length - 1
  if (stars !== 1 || text.startsWith('/') || /[?[\]\\]/.test(text))
    return `'${text}' is no path from the stack's directory with one '*' for the instance's name, such as env/*.tfvars`
  if (text.includes('{instance}')) return `'${text}' has {instance}, which is what the '*' stands for`
  return placeholderProblem(text)
}

/** No path that git knows has it. */
const STAR = '\0'

/** The files that make instances of a directory; undefined if they would be outside the repository. */
export const filePattern = (from: string, path: string): FilePattern | undefined => {
  const [before = '', after = ''] = from.split('*').map((part) => filled(part, { path }) ?? '')
  const [start, end] = pathFrom(path, `${before}${STAR}${after}`)?.split(STAR) ?? []
  return start === undefined || end === undefined ? undefined : { before: start, after: end }
}

/** The file that makes a stack an instance of its directory. */
export const fileOfInstance = (from: string | undefined, { path, instance }: Named): string | undefined => {
  const pattern = from === undefined || instance === undefined ? undefined : filePattern(from, path)
  return pattern === undefined ? undefined : `${pattern.before}${instance}${pattern.after}`
}

/** Whether a file makes an instance of a directory, one that a graph has or one that is gone. */
export const makesInstance = (from: string, path: string, file: string): boolean => {
  const pattern = filePattern(from, path)
  if (pattern === undefined || !file.startsWith(pattern.before) || !file.endsWith(pattern.after)) return false
  return isInstanceName(file.slice(pattern.before.length, file.length - pattern.after.length))
}

import { dirname } from 'node:path'
import { askHost } from './ask-host.ts'
import type { GitResult } from './git-host.ts'

/**
 * No configuration of this machine or its user may change what the emulator's repositories do. Nor is a repository looked for above
 * its folder: where one was removed meanwhile, git would find the checkout that the tests are in, and move its branches.
 */
const environment = (dir: string, extra: Record<string, string>): Record<string, string> => ({
  GIT_CEILING_DIRECTORIES: dirname(dir),
  PATH: process.env.PATH ?? '',
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
  ...extra,
})

type Options = { input?: string | Buffer; env?: Record<string, string> }

/** Runs git in a repository and returns exit code and output, whatever they are. */
export const tryGit = (dir: string, args: string[], options: Options = {}): Promise<GitResult> =>
  isUnchanging(args) ? askOnce(dir, args) : run(dir, args, options)

const run = (dir: string, args: string[], options: Options): Promise<GitResult> =>
  askHost({ dir, args, env: environment(dir, options.env ?? {}), input: options.input ?? '' })

const questions = new Set([
  'cat-file',
  'diff-tree',
  'ls-tree',
  'merge-base',
  'merge-tree',
  'rev-list',
  'rev-parse',
  'show',
])

/** A whole object id, or something inside the object: git's answer never changes. */
const isObject = (arg: string): boolean => /^\^?[0-9a-f]{40}(\^\{\w+\}|:.*)?$/s.test(arg)

const isUnchanging = ([command = '', ...rest]: string[]): boolean => {
  if (!questions.has(command)) return false
  const end = rest.indexOf('--')
  const named = (end < 0 ? rest : rest.slice(0, end)).filter((arg) => !arg.startsWith('-') && arg !== 'blob')
  return named.length > 0 && named.every(isObject)
}

/** Remembered answers: a pull request asks the same again and again. */
const answered = new Map<string, GitResult>()
const most = 5000

const askOnce = async (dir: string, args: string[]): Promise<GitResult> => {
  const name = [dir, ...args].join('\0')
  const known = answered.get(name)
  if (known) return known
  const result = await run(dir, args, {})
  // an object that does not exist may come later; a path missing from a commit never does
  if (result.code === 0 || result.errors.includes('does not exist in')) answered.set(name, result)
  if (answered.size > most) answered.delete(answered.keys().next().value ?? '')
  return result
}

/** Runs git; anything but success is a mistake of the emulator or its caller. */
export const git = async (dir: string, args: string[], options: Options = {}): Promise<string> => {
  const { code, output, errors } = await tryGit(dir, args, options)
  if (code !== 0) throw new Error(`git ${args.join(' ')} in ${dir}: exit ${code}: ${errors.trim()}`)
  return output.toString()
}

import { askHost } from './ask-host.ts'
import type { GitResult } from './git-host.ts'

/** No configuration of this machine or of the person who runs the emulator may change what its repositories do. */
const environment = (extra: Record<string, string>): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
  ...extra,
})

type Options = { input?: string | Buffer; env?: Record<string, string> }

/** Runs git in a repository and hands back exit code and output, whatever they are. */
export const tryGit = (dir: string, args: string[], options: Options = {}): Promise<GitResult> =>
  isUnchanging(args) ? askOnce(dir, args) : run(dir, args, options)

const run = (dir: string, args: string[], options: Options): Promise<GitResult> =>
  askHost({ dir, args, env: environment(options.env ?? {}), input: options.input ?? '' })

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

/** A whole object id, or what it says of what is in it: what git answers to that never changes. */
const isObject = (arg: string): boolean => /^\^?[0-9a-f]{40}(\^\{\w+\}|:.*)?$/s.test(arg)

const isUnchanging = ([command = '', ...rest]: string[]): boolean => {
  if (!questions.has(command)) return false
  const end = rest.indexOf('--')
  const named = (end < 0 ? rest : rest.slice(0, end)).filter((arg) => !arg.startsWith('-') && arg !== 'blob')
  return named.length > 0 && named.every(isObject)
}

/** Answers to what was asked before: a pull request asks the same all the time. */
const answered = new Map<string, GitResult>()
const most = 5000

const askOnce = async (dir: string, args: string[]): Promise<GitResult> => {
  const name = [dir, ...args].join('\0')
  const known = answered.get(name)
  if (known) return known
  const result = await run(dir, args, {})
  // an object that is not there yet may come; a path that a commit has not never does
  if (result.code === 0 || result.errors.includes('does not exist in')) answered.set(name, result)
  if (answered.size > most) answered.delete(answered.keys().next().value ?? '')
  return result
}

/** Runs git where anything but success is a mistake of the emulator or its caller. */
export const git = async (dir: string, args: string[], options: Options = {}): Promise<string> => {
  const { code, output, errors } = await tryGit(dir, args, options)
  if (code !== 0) throw new Error(`git ${args.join(' ')} in ${dir}: exit ${code}: ${errors.trim()}`)
  return output.toString()
}

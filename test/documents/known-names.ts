import { globSync, readFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { verbs } from '#domain/comments/comment-command.ts'
import { commonFlags } from '#runner/command.ts'
import { commands as listed } from '#runner/commands/index.ts'
import { described } from '#runner/listed.ts'
import { readCommandLine } from '../../src/cli/command-line.ts'
import { metricsOfTheInterface } from './metrics-of-the-interface.ts'

/*
 * The names that a document may use: files, scripts, commands, routes, variables, metrics, and words of the code. Each function
 * looks at the present tree, so a name that is gone is found on the page that still has it.
 */

const root = join(import.meta.dirname, '../..')

const commands = await described(listed)
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

const own = '{src,machines,migrations,test,docs,deploy,ui}/**'
const top = ['*.{json,yml,yaml,md}', '.env.example', 'Dockerfile', '.dockerignore']

const files = globSync([own, ...top], { cwd: root, withFileTypes: true, exclude: ['**/node_modules/**', 'ui/dist/**'] })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(root, join(entry.parentPath, entry.name)))
const names = new Set(files.map((path) => basename(path)))
const paths = new Set(files)

/** Every word of the code and of its scripts and configuration, but not of the documents. */
const words = new Set(
  files
    .filter(
      (path) => /^(src|machines|migrations|deploy|test)\/.+\.(ts|sql|yml|yaml)$/.test(path) || !path.includes('/'),
    )
    .filter((path) => !path.endsWith('.md') && path !== 'package-lock.json')
    .filter((path) => !path.startsWith('test/documents/'))
    .flatMap((path) => read(path).match(/[A-Za-z_][A-Za-z0-9_]*/g) ?? []),
)

const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }

/** `POST /v1/runs`, from the page that is compared with a running service. */
const endpoints = [...read('docs/api.md').matchAll(/^\| \[(\w+) (\S+)\]/gm)].map(([, method = '', path = '']) => ({
  method,
  path,
}))

const npmOwn = new Set(['install', 'ci', 'publish'])

export const isScript = (name: string): boolean => npmOwn.has(name) || name in scripts

/** `NAME` means any benchmark, `all` every one. */
export const isBench = (kind: string, name: string): boolean =>
  name === 'NAME' || name === 'all' || paths.has(`test/${kind === 'bench' ? 'bench' : 'fault/proofs'}/${name}.ts`)

/** `*` in a path matches anything. */
export const isPath = (path: string): boolean => {
  const bare = path.replace(/\/$/, '')
  if (!bare.includes('*')) return paths.has(bare) || files.some((file) => file.startsWith(`${bare}/`))
  return globSync(bare, { cwd: root }).length > 0
}

export const isInTree = (path: string): boolean =>
  /^(src|machines|migrations|test|docs|deploy|ui|\.github)\//.test(path)

/** Also under its name after the build. */
export const isFile = (name: string): boolean => names.has(name) || names.has(name.replace(/\.mjs$/, '.ts'))

/** Of a name that ends in `_` or `_*`, the beginning must exist. */
export const isWord = (word: string): boolean => {
  const start = /^(.+_)\*?$/.exec(word)?.[1]
  return start === undefined ? words.has(word) : [...words].some((one) => one.startsWith(start))
}

export const isMetric = (name: string): boolean =>
  name.replace(/^svc_/, '').replace(/_bucket$/, '') in metricsOfTheInterface

export const isRoute = (method: string | undefined, written: string): boolean => {
  const path = written.replace(/[?#].*$/, '')
  const matches = (template: string): boolean => {
    const [given, wanted] = [path.split('/'), template.split('/')]
    return (
      given.length === wanted.length &&
      wanted.every((part, at) => part.startsWith('{') || given[at] === '*' || part === given[at])
    )
  }
  return endpoints.some((one) => (method === undefined || one.method === method) && matches(one.path))
}

/** `svc plan --hold`, a call of the client, or a comment's command. */
export const isClientCall = (args: readonly string[]): boolean => {
  const [name = '', ...rest] = args
  if (['help', '--help', '--version', '-h'].includes(name)) return true
  const command = commands.find((one) => one.name === name)
  if (command === undefined) return (verbs as readonly string[]).includes(name)
  const known = Object.keys({ ...command.flags, ...commonFlags })
  return rest
    .filter((word) => word.startsWith('--') && word !== '--')
    .every((word) => known.includes(word.slice(2).split('=')[0] ?? ''))
}

/** Also an incomplete call, if the help in its answer continues it. */
export const isServerCall = (args: readonly string[]): boolean => {
  const read = readCommandLine(args)
  return (
    !('problem' in read) || /: (say what to do|--name must say|name the account|--file must name)/.test(read.problem)
  )
}

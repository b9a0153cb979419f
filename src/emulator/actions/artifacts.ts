import { cp, mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { z } from 'zod'
import type { JobScope } from './job-scope.ts'
import { pathWithin } from './path-within.ts'

export const uploadInputs = z.strictObject({
  name: z
    .string()
    .regex(/^(?!\.\.?$)[^":<>|*?\r\n\\/]+$/, 'may not be empty, . or .., or hold " : < > | * ? \\ / or line breaks')
    .default('artifact'),
  path: z.string().min(1),
  'if-no-files-found': z.enum(['warn', 'error', 'ignore']).default('warn'),
  'include-hidden-files': z.enum(['true', 'false']).default('false'),
  overwrite: z.enum(['true', 'false']).default('false'),
  // Nothing here expires, and nothing is packed.
  'retention-days': z.string().optional(),
  'compression-level': z.string().optional(),
})

export const downloadInputs = z.strictObject({
  name: z.string().optional(),
  path: z.string().default('.'),
  'run-id': z.coerce.number().int().positive().optional(),
  'github-token': z.string().optional(),
  repository: z.string().optional(),
})

/** Artifacts of a run's attempt, a directory each; they stay after the run, for the runs that follow it. */
const shelf = (scope: JobScope, runId: number, attempt?: number): string =>
  join(scope.host.workDir, 'artifacts', String(runId), ...(attempt === undefined ? [] : [String(attempt)]))

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

const isHidden = (path: string): boolean => path.split('/').some((part) => part.startsWith('.'))

/** Files below a path, or the path itself if it is a file, relative to `root`. */
const filesUnder = async (path: string, root: string): Promise<string[]> => {
  const found = await stat(path).catch(() => undefined)
  if (!found) return []
  if (found.isFile()) return [relative(root, path)]
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
}

/** Paths in the artifact begin below the common part of all searched paths. */
const commonRoot = async (paths: readonly string[]): Promise<string> => {
  const roots = await Promise.all(
    paths.map(async (path) => ((await stat(path).catch(() => undefined))?.isFile() ? dirname(path) : path)),
  )
  const [first = '/', ...others] = roots
  let root = first
  while (others.some((other) => relative(root, other).startsWith('..'))) root = dirname(root)
  return root
}

const pathsOf = (scope: JobScope, text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      if (/[*?[\]!]/.test(line)) throw new Error(`path '${line}': patterns are not supported by this emulator`)
      return pathWithin([scope.workspace, scope.temp], line)
    })

/**
 * actions/upload-artifact. The name must be new in the run's attempt; hidden files stay out unless requested. Source:
 * github.com/actions/upload-artifact, README.
 */
export const upload = async (
  inputs: z.output<typeof uploadInputs>,
  scope: JobScope,
): Promise<Record<string, string>> => {
  const paths = pathsOf(scope, inputs.path)
  const root = await commonRoot(paths)
  const all = (await Promise.all(paths.map((path) => filesUnder(path, root)))).flat()
  const files = inputs['include-hidden-files'] === 'true' ? all : all.filter((file) => !isHidden(file))
  if (files.length === 0) {
    const message = `no files were found with the path '${inputs.path.trim()}'; no artifact is uploaded`
    if (inputs['if-no-files-found'] === 'error') throw new Error(message)
    scope.log.write(inputs['if-no-files-found'] === 'warn' ? `##[warning]${message}` : message)
    return {}
  }
  const target = join(shelf(scope, scope.request.id, scope.request.attempt), inputs.name)
  if (inputs.overwrite === 'true') await rm(target, { recursive: true, force: true })
  else if (await exists(target)) throw new Error(`an artifact with the name '${inputs.name}' is already in this run`)
  // Built aside and moved in one step: a download never finds half an artifact.
  const staging = join(scope.control, 'artifact')
  for (const file of files) await cp(join(root, file), join(staging, file), { dereference: true })
  await mkdir(dirname(target), { recursive: true })
  await rename(staging, target)
  scope.log.write(`artifact ${inputs.name}: ${files.length} files`)
  return {}
}

/** The newest attempt of a run that has the artifact; without a name, all newest artifacts of the run. */
const find = async (scope: JobScope, runId: number, name: string | undefined): Promise<string[]> => {
  const attempts = (await readdir(shelf(scope, runId)).catch(() => [])).map(Number).sort((a, b) => b - a)
  const newest = new Map<string, string>()
  for (const attempt of attempts)
    for (const found of await readdir(shelf(scope, runId, attempt)))
      if (!newest.has(found)) newest.set(found, join(shelf(scope, runId, attempt), found))
  return name === undefined ? [...newest.values()] : [newest.get(name) ?? []].flat()
}

/**
 * actions/download-artifact: one by name into `path`, or all of the run into a directory each; `run-id` names another run.
 * Source: github.com/actions/download-artifact, README.
 */
export const download = async (
  inputs: z.output<typeof downloadInputs>,
  scope: JobScope,
): Promise<Record<string, string>> => {
  const { owner, name: repo } = scope.request.repo
  if (inputs.repository && inputs.repository !== `${owner}/${repo}`)
    throw new Error(`artifacts of another repository ('${inputs.repository}') are not supported by this emulator`)
  const runId = inputs['run-id'] ?? scope.request.id
  const found = await find(scope, runId, inputs.name)
  if (inputs.name !== undefined && found.length === 0)
    throw new Error(`artifact '${inputs.name}' was not found in run ${runId}`)
  const target = pathWithin([scope.workspace, scope.temp], inputs.path)
  await mkdir(target, { recursive: true })
  for (const source of found)
    await cp(source, inputs.name === undefined ? join(target, basename(source)) : target, { recursive: true })
  return { 'download-path': target }
}

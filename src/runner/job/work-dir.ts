import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { trimOf } from '#domain/texts/trim.ts'
import { Problem } from '#errors.ts'
import type { Environment } from '../environment.ts'

/** Where the steps of a job leave files for each other. Only the owner may read them: plans hold values in clear. */
export type WorkDir = {
  /** The directory of all saved plans, and the saved plan of one stack. */
  plans: string
  plan(key: string): string
  /** Where the workflow downloads the plan of a stack that another run saved. */
  saved(key: string): string
  /** The plan of a stack as JSON, in clear. */
  planJson(key: string): string
  /** The results to report: the directory of all, and the file of one stack. */
  results: string
  result(key: string): string
}

const READABLE = 80

/**
 * A key as a name that files and artifacts may have: they allow none of `" : < > | * ? \ /` and no line breaks. Readable, and
 * with a hash, since two keys may read the same. Source: github.com/actions/upload-artifact, README.
 */
export const safeName = (key: string): string => {
  const readable = trimOf(key.replaceAll(/[^A-Za-z0-9._-]+/g, '-'), '-.')
  const hash = createHash('sha256').update(key).digest('hex').slice(0, 8)
  return `${readable.slice(0, READABLE) || 'root'}-${hash}`
}

/** In a directory that everybody may write to, another user may have made ours before us. */
const ownDirectory = (path: string): string => {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const { uid } = lstatSync(path)
  if (process.getuid !== undefined && uid !== process.getuid())
    throw new Problem('invalid', `${path} belongs to another user: name another directory with --work-dir`)
  return path
}

/** Opens the work directory: the one named, the job's, or one of this checkout below the system's temporary directory. */
export const openWorkDir = (
  { workDir, temporaryDir }: Environment,
  root: string,
  named: string | undefined,
  cwd: string,
): WorkDir => {
  const given = named ?? workDir
  const shared = `svc-${createHash('sha256').update(root).digest('hex').slice(0, 12)}`
  const top = ownDirectory(given === undefined ? join(temporaryDir, shared) : resolve(cwd, given))
  const [plans, json, results] = ['plans', 'json', 'results'].map((name) => {
    const path = join(top, name)
    mkdirSync(path, { recursive: true, mode: 0o700 })
    return path
  }) as [string, string, string]
  return {
    plans,
    plan: (key) => join(plans, `${safeName(key)}.tfplan`),
    saved: (key) => join(top, 'saved', `${safeName(key)}.tfplan`),
    planJson: (key) => join(json, `${safeName(key)}.json`),
    results,
    result: (key) => join(results, `${safeName(key)}.json`),
  }
}

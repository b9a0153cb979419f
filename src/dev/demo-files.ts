import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { DemoChange } from './demo-changes.ts'

/** Path in the repository → text. */
export type RepositoryFiles = ReadonlyMap<string, string>

const templates = join(import.meta.dirname, 'demo-repository')

/** The folder that the templates name for state: an absolute path, because each job has its own checkout. */
const templateStateDir = '/srv/terraform-state'

/** The files of the demo's repository, with state kept in `stateDir` (absolute, shared by all jobs). */
export const demoFiles = async (stateDir: string): Promise<RepositoryFiles> => {
  const entries = await readdir(templates, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const files = paths.sort().map(async (path): Promise<[string, string]> => {
    const text = await readFile(path, 'utf8')
    return [path.slice(templates.length + 1), text.replaceAll(templateStateDir, stateDir)]
  })
  return new Map(await Promise.all(files))
}

/** The files after the change; throws unless each edit finds its place exactly once. */
export const changedFiles = (files: RepositoryFiles, change: DemoChange): RepositoryFiles => {
  const changed = new Map(files)
  for (const { path, find, replace } of change.edits) {
    const parts = changed.get(path)?.split(find) ?? []
    if (parts.length !== 2) throw new Error(`change ${change.branch}: ${path} must hold '${find}' exactly once`)
    changed.set(path, parts.join(replace))
  }
  return changed
}

export const writeFiles = async (dir: string, files: RepositoryFiles): Promise<void> => {
  for (const [path, text] of files) {
    await mkdir(dirname(join(dir, path)), { recursive: true })
    await writeFile(join(dir, path), text)
  }
}

/** What a commit of the change holds: the edited files, whole. */
export const editedFiles = (files: RepositoryFiles, change: DemoChange): Record<string, string> => {
  const changed = changedFiles(files, change)
  return Object.fromEntries(change.edits.map(({ path }) => [path, changed.get(path) ?? '']))
}

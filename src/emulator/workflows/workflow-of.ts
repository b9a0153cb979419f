import { readFolder, readText } from '#emulator/git/tree.ts'
import type { Repository, Workflow } from '#emulator/records.ts'
import type { World } from '#emulator/world.ts'
import { readTrigger } from './trigger-of-file.ts'

const workflowFolder = '.github/workflows'

/** Files directly in the folder, with either extension. */
const isWorkflow = (path: string): boolean => /^\.github\/workflows\/[^/]+\.ya?ml$/.test(path)

/** The record of a workflow file, made when it is first seen. */
export const workflowOf = (world: World, repository: Repository, path: string, name: string): Workflow => {
  const { store } = world
  const known = [...store.workflows.values()].find((one) => one.repository === repository && one.path === path)
  if (known) {
    known.name = name
    return known
  }
  const createdAt = world.clock()
  const workflow = { id: store.newId(), repository, path, name, createdAt, lastRunNumber: 0, disabled: false }
  store.workflows.set(workflow.id, workflow)
  return workflow
}

/** Texts of the workflow files of a commit, by path. */
export const workflowFiles = async (repository: Repository, sha: string): Promise<[path: string, text: string][]> => {
  const files = await readFolder(repository.gitDir, sha, workflowFolder)
  return [...files].filter(([path]) => isWorkflow(path))
}

/**
 * A workflow by id or file name, as REST addresses it: one that has run, or is on the default branch. For GitHub, files that
 * are only on other branches and never ran do not exist.
 */
export const findWorkflow = async (
  world: World,
  repository: Repository,
  idOrFile: string,
): Promise<Workflow | undefined> => {
  const known = [...world.store.workflows.values()].find(
    (one) => one.repository === repository && (String(one.id) === idOrFile || one.path.endsWith(`/${idOrFile}`)),
  )
  if (known) return known
  const path = `${workflowFolder}/${idOrFile}`
  const text = await readText(repository.gitDir, `refs/heads/${repository.defaultBranch}`, path)
  if (text === undefined || !isWorkflow(path)) return undefined
  return workflowOf(world, repository, path, readTrigger(path, text)?.name ?? path)
}

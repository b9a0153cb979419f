import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runWorkflow } from '#domain/run-name.ts'

/** The workflows of this folder by name, in the bundled client (src/dev/build.ts puts them in); elsewhere they are read. */
declare const bundledWorkflows: Readonly<Record<string, string>> | undefined

export const planWorkflow = 'svc-plan.yml'

export const shippedWorkflows = [planWorkflow, runWorkflow] as const

export const workflowPath = (name: string): string => `.github/workflows/${name}`

/** The line of a workflow where a repository puts the client on the PATH, in its own way. */
export const clientPlace = '# The action that puts svc on the PATH goes here.'

/** The text of a workflow that svc ships. With `action`, such as `acme/svc@v1`, that action replaces the line `clientPlace`. */
export const shippedWorkflow = async (name: string, action?: string): Promise<string> => {
  const text =
    typeof bundledWorkflows === 'undefined'
      ? await readFile(join(import.meta.dirname, name), 'utf8')
      : bundledWorkflows[name]
  if (text === undefined) throw new Error(`there is no workflow ${name}`)
  return action === undefined ? text : text.replaceAll(clientPlace, `- uses: ${action}`)
}

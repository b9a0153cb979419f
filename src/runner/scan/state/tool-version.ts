import { parentOf } from '#domain/resolution/changed-paths.ts'
import type { ToolName } from '../facts/directories.ts'
import type { Tree } from '../tree/tree.ts'

const EXACT = /^=?\s*v?(\d+\.\d+(?:\.\d+)?(?:-[0-9A-Za-z.-]+)?)$/

const exact = (text: string | undefined): string | undefined => EXACT.exec(text?.trim() ?? '')?.[1]

const withoutComments = (text: string): string[] =>
  text.split(/\r?\n/).flatMap((line) => {
    const kept = line.replace(/#.*/, '').trim()
    return kept === '' ? [] : [kept]
  })

/** The line of `.tool-versions` (asdf, mise) that pins a tool, under any of the names that its plugins have. */
const pinned = (text: string, tool: ToolName): string | undefined => {
  const lines = withoutComments(text).map((line) => line.split(/\s+/))
  const line = lines.find(([name]) => name === (tool === 'tofu' ? 'opentofu' : tool))
  return exact(line?.[1])
}

const nearest = (directory: string, name: string, tree: Tree): string | undefined => {
  for (let at: string | undefined = directory; at !== undefined; at = parentOf(at)) {
    const text = tree.text(at === '.' ? name : `${at}/${name}`)
    if (text !== undefined) return text
  }
  return undefined
}

export type VersionFiles = (directory: string, tool: ToolName) => string | undefined

/**
 * The version that files pin for a directory, in the nearest parent: `.terraform-version`, `.opentofu-version` or
 * `.terragrunt-version`, else `.tool-versions`. A text that is not an exact version (`latest`, `min-required`) pins nothing.
 */
export const versionFiles = (tree: Tree): VersionFiles => {
  const known = new Map<string, string | undefined>()
  const look = (directory: string, tool: ToolName): string | undefined => {
    const own = nearest(directory, `.${tool === 'tofu' ? 'opentofu' : tool}-version`, tree)
    return exact(withoutComments(own ?? '')[0]) ?? pinned(nearest(directory, '.tool-versions', tree) ?? '', tool)
  }
  return (directory, tool) => {
    const key = `${tool} ${directory}`
    if (!known.has(key)) known.set(key, look(directory, tool))
    return known.get(key)
  }
}

/** A stack's tool version: from svc.yml, else from version files, else `required_version` if it names one version. */
export const toolVersion = (
  stack: { path: string; tool: ToolName; tool_version?: string | undefined },
  required: readonly string[],
  files: VersionFiles,
): string | undefined =>
  stack.tool_version ?? files(stack.path, stack.tool) ?? required.map(exact).find((version) => version !== undefined)

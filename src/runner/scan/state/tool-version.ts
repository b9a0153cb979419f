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

type Found = { file: string; text: string }

const nearest = (directory: string, name: string, tree: Tree): Found | undefined => {
  for (let at: string | undefined = directory; at !== undefined; at = parentOf(at)) {
    const file = at === '.' ? name : `${at}/${name}`
    const text = tree.text(file)
    if (text !== undefined) return { file, text }
  }
  return undefined
}

/** A version, and the version file that says it. */
type Decided = { version: string; file?: string }

export type VersionFiles = (directory: string, tool: ToolName) => Decided | undefined

const decidedBy = (found: Found | undefined, versionIn: (text: string) => string | undefined): Decided | undefined => {
  const version = found === undefined ? undefined : versionIn(found.text)
  return found === undefined || version === undefined ? undefined : { version, file: found.file }
}

/**
 * The version that files pin for a directory, in the nearest parent: `.terraform-version`, `.opentofu-version` or
 * `.terragrunt-version`, else `.tool-versions`. A text that is not an exact version (`latest`, `min-required`) pins nothing.
 */
export const versionFiles = (tree: Tree): VersionFiles => {
  const known = new Map<string, Decided | undefined>()
  const look = (directory: string, tool: ToolName): Decided | undefined => {
    const own = nearest(directory, `.${tool === 'tofu' ? 'opentofu' : tool}-version`, tree)
    return (
      decidedBy(own, (text) => exact(withoutComments(text)[0])) ??
      decidedBy(nearest(directory, '.tool-versions', tree), (text) => pinned(text, tool))
    )
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
): Decided | undefined => {
  if (stack.tool_version !== undefined) return { version: stack.tool_version }
  const found = files(stack.path, stack.tool)
  if (found !== undefined) return found
  const version = required.map(exact).find((one) => one !== undefined)
  return version === undefined ? undefined : { version }
}

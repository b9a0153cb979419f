import { dirname } from 'node:path/posix'
import type { Graph } from '#domain/graph/graph.ts'
import { parentOf } from '#domain/resolution/changed-paths.ts'

export type Tool = Graph['stacks'][number]['tool'] & string

type Stack = Pick<Graph['stacks'][number], 'key' | 'path' | 'tool'>

/** `tool` for svc.yml, how many stacks have which, and those that have the other by their version file alone. */
export type Tools = {
  tool: Tool
  counts: Partial<Record<Tool, number>>
  others: { tool: Tool; keys: string[] } | undefined
}

/** Of the nearest parent with a version file; OpenTofu's if both are there, since who came from Terraform may have kept the other. */
const pinnedTool = (path: string, pins: ReadonlySet<string>): Tool | undefined => {
  for (let at: string | undefined = path; at !== undefined; at = parentOf(at)) {
    if (pins.has(`${at}/.opentofu-version`)) return 'tofu'
    if (pins.has(`${at}/.terraform-version`)) return 'terraform'
  }
  return undefined
}

/**
 * Counts the stacks' tools, by their files and by the version files (paths) around them. The tool of most plain stacks is the
 * repository's; Terragrunt is if all are units, since a plain directory is no stack of it.
 */
export const findTools = (stacks: readonly Stack[], versionFiles: readonly string[]): Tools => {
  const pins = new Set(versionFiles.map((file) => (dirname(file) === '.' ? `./${file}` : file)))
  const byTool = Map.groupBy(stacks, ({ path, tool = 'terraform' }) =>
    tool === 'terraform' ? (pinnedTool(path, pins) ?? tool) : tool,
  )
  const count = (tool: Tool): number => byTool.get(tool)?.length ?? 0
  const [plain, other]: [Tool, Tool] =
    count('tofu') > count('terraform') ? ['tofu', 'terraform'] : ['terraform', 'tofu']
  // a directory whose files only OpenTofu reads has it, whatever svc.yml says
  const goesByConfig = ({ tool = 'terraform' }: Stack): boolean => tool === 'terraform'
  const others = (byTool.get(other) ?? []).filter(goesByConfig).map(({ key }) => key)
  const onlyUnits = count('terragrunt') > 0 && count('terragrunt') === stacks.length
  return {
    tool: onlyUnits ? 'terragrunt' : stacks.length === 0 ? (pinnedTool('.', pins) ?? plain) : plain,
    counts: Object.fromEntries([...byTool].map(([tool, all]) => [tool, all.length])),
    others: others.length === 0 ? undefined : { tool: other, keys: others },
  }
}

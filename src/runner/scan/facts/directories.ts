import { filesForTool, type SourceFile } from '../tree/source-file.ts'
import { type DirectoryFacts, directoryFacts } from './directory-facts.ts'
import type { FileFacts } from './file-facts.ts'

export type ToolName = 'terraform' | 'tofu' | 'terragrunt'

/** The directories of a tree that hold configuration, each as a tool reads it: Terragrunt has one of the other two read it. */
export type Directories = {
  all: readonly string[]
  has: (directory: string) => boolean
  /** Whether all its files are for OpenTofu: Terraform finds nothing there. */
  isTofuOnly: (directory: string) => boolean
  facts: (directory: string, tool: ToolName) => DirectoryFacts
  /** Whether any file calls a function that reads files. */
  hasReads: boolean
  /** The directory that a path leads to through links. */
  real: (path: string) => string
}

/** Groups files by directory. The facts of a directory are put together when they are first asked for. */
export const directoriesOf = (
  files: ReadonlyMap<SourceFile, FileFacts>,
  real: (path: string) => string,
): Directories => {
  const byDirectory = new Map<string, SourceFile[]>()
  for (const file of files.keys()) {
    const list = byDirectory.get(file.directory)
    if (list === undefined) byDirectory.set(file.directory, [file])
    else list.push(file)
  }
  const known = new Map<string, DirectoryFacts>()
  const mixed = new Set([...files.keys()].filter((file) => file.tofuOnly).map((file) => file.directory))
  const isTofuOnly = (directory: string): boolean =>
    mixed.has(directory) && (byDirectory.get(directory) ?? []).every((file) => file.tofuOnly)
  return {
    all: [...byDirectory.keys()].sort(),
    has: (directory) => byDirectory.has(directory),
    isTofuOnly,
    hasReads: [...files.values()].some(({ reads }) => reads !== undefined),
    real,
    facts: (directory, tool) => {
      const key = mixed.has(directory) ? `${tool} ${directory}` : directory
      const before = known.get(key)
      if (before !== undefined) return before
      const own = filesForTool(byDirectory.get(directory) ?? [], tool)
      const made = directoryFacts(
        own.map((file) => ({ path: file.path, override: file.override, facts: files.get(file) ?? {} })),
      )
      known.set(key, made)
      return made
    },
  }
}

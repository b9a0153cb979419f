import { isSkippedDirectory } from './walk.ts'

/*
 * The files of the language by their names: `.tf` and `.tf.json` are for both tools; `.tofu` and `.tofu.json` for OpenTofu alone,
 * which then leaves out Terraform's file of the same name (OpenTofu, 'Files and directories').
 */

export type SourceFile = {
  path: string
  directory: string
  name: string
  syntax: 'hcl' | 'json'
  tofuOnly: boolean
  /** `override.tf` and `x_override.tf` are laid over the rest of the directory. */
  override: boolean
}

const NAME = /^(?<stem>.*)\.(?<kind>tf|tofu)(?<json>\.json)?$/

const isSkipped = (directory: string): boolean => directory !== '.' && directory.split('/').some(isSkippedDirectory)

/** What a path is to a scanner; undefined for other kinds of files, hidden files, and files below hidden directories. */
export const sourceFile = (path: string): SourceFile | undefined => {
  if (!path.includes('.t')) return undefined
  const slash = path.lastIndexOf('/')
  const name = path.slice(slash + 1)
  const parts = NAME.exec(name)?.groups
  const directory = slash < 0 ? '.' : path.slice(0, slash)
  if (parts === undefined || name.startsWith('.') || isSkipped(directory)) return undefined
  return {
    path,
    directory,
    name,
    syntax: parts.json === undefined ? 'hcl' : 'json',
    tofuOnly: parts.kind === 'tofu',
    override: /^(?:.*_)?override$/.test(parts.stem ?? ''),
  }
}

const shadowedBy = (name: string): string => name.replace(/\.tofu(\.json)?$/, '.tf$1')

/**
 * The files of one directory that a tool reads, in the tool's order: by name, overrides after the rest. Whoever has files of OpenTofu
 * has Terragrunt run it, and Terragrunt itself prefers it.
 */
export const filesForTool = (files: readonly SourceFile[], tool: 'terraform' | 'tofu' | 'terragrunt'): SourceFile[] => {
  const isTofu = tool !== 'terraform'
  const shadowed = new Set(isTofu ? files.filter((file) => file.tofuOnly).map((file) => shadowedBy(file.name)) : [])
  return files
    .filter((file) => (isTofu || !file.tofuOnly) && !shadowed.has(file.name))
    .sort((a, b) => Number(a.override) - Number(b.override) || (a.name < b.name ? -1 : 1))
}

/** Something a person should see about a scan. `message` alone is enough; place and stacks are for tools. */
export type ScanWarning = {
  code:
    | 'backend_unresolved'
    | 'dependency_unknown'
    | 'discover_not_run'
    | 'encrypted'
    | 'file_missing'
    | 'link_unresolved'
    | 'module_missing'
    | 'module_unresolved'
    | 'module_unsupported'
    | 'no_instance'
    | 'no_such_directory'
    | 'remote_state_unresolved'
    | 'state_shared'
    | 'syntax'
    | 'terragrunt_unresolved'
    | 'workspace_invalid'
  message: string
  file?: string
  line?: number
  column?: number
  stacks?: string[]
}

export type Warn = (warning: ScanWarning) => void

/** Keeps each warning once. Ten instances of a directory cause the same warning, which then names all of them. */
export const warningList = (): { warn: Warn; all: () => ScanWarning[] } => {
  const kept = new Map<string, ScanWarning>()
  return {
    warn: (warning) => {
      const same = kept.get(`${warning.code} ${warning.message}`)
      if (same === undefined) kept.set(`${warning.code} ${warning.message}`, warning)
      else if (warning.stacks !== undefined) same.stacks = [...new Set([...(same.stacks ?? []), ...warning.stacks])]
    },
    all: () => [...kept.values()],
  }
}

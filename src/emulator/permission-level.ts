/** What a person may do in a repository, least first; GitHub's roles without custom ones. */
export const permissionLevels = ['none', 'read', 'triage', 'write', 'maintain', 'admin'] as const

export type PermissionLevel = (typeof permissionLevels)[number]

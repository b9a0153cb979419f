import { isWorkspaceName } from '#domain/config/config-values.ts'
import { stackConfig } from '#domain/config/stack-config.ts'
import { stackSettings } from '#domain/config/stack-variants.ts'
import { clip } from '#domain/texts/markdown.ts'
import { type Finding, someOf } from './finding.ts'
import type { Seen } from './seen.ts'

type Setting = 'workspace' | 'environment'

/** A setting as it is written in one place, and the stacks that have it from there. */
type Used = { i: number; instance?: string; text: string; stacks: { key: string; value: string | undefined }[] }

const usesOf = (seen: Seen, setting: Setting): Used[] => {
  const uses = new Map<string, Used>()
  for (const { key, path, instance } of seen.stacks) {
    const entries = seen.entriesOf(path)
    const named = instance === undefined ? undefined : stackConfig(seen.config, path).instances[instance]?.[setting]
    const of = entries.findLast(({ entry }) => (named === undefined ? entry[setting] : entry.instances) !== undefined)
    const text = named ?? of?.entry[setting]
    if (of === undefined || text === undefined) continue
    const name = `${of.i} ${named === undefined ? '' : instance}`
    const isOwn = named !== undefined && instance !== undefined
    const use: Used = uses.get(name) ?? { i: of.i, ...(isOwn ? { instance } : {}), text, stacks: [] }
    uses.set(name, use)
    // Without its placeholder's instance an environment is the default one, which nobody wrote.
    const isFilled = instance !== undefined || !/(?<!\{)\{instance\}/.test(text)
    use.stacks.push({ key, value: isFilled ? stackSettings(seen.config, { path, instance })[setting] : undefined })
  }
  return [...uses.values()]
}

const wrong: Record<Setting, (value: string) => string | undefined> = {
  workspace: (value) =>
    isWorkspaceName(value) ? undefined : 'is not a workspace name: no spaces and no slashes, up to 90 characters',
  environment: (value) =>
    value.trim() === '' || value.length > 255
      ? 'is not the name of an environment: 1 to 255 characters, not all of them spaces'
      : undefined,
}

const placeOf = ({ i, instance }: Used, setting: Setting): Finding['path'] =>
  instance === undefined ? ['stacks', i, setting] : ['stacks', i, 'instances', instance, setting]

const findingOf = (used: Used, setting: Setting): Finding | undefined => {
  const { text, stacks } = used
  const path = placeOf(used, setting)
  const bad = stacks.filter(({ value }) => value !== undefined && wrong[setting](value) !== undefined)
  const [first] = bad
  if (first?.value !== undefined) {
    const why = wrong[setting](first.value)
    const keys = someOf(bad.map(({ key }) => key))
    return { path, message: `'${text}' becomes '${clip(first.value, 100)}' for ${keys}, which ${why}` }
  }
  if (stacks.some(({ value }) => value !== undefined)) return undefined
  const left = setting === 'environment' ? "their environment is 'default'" : 'they have none'
  return {
    path,
    message: `'${text}' asks for the instance, and ${someOf(stacks.map(({ key }) => key))} ${stacks.length === 1 ? 'is' : 'are'} none: ${left}`,
  }
}

/** Environments that every stack of their entry has from a later one. */
const hidden = (seen: Seen, uses: readonly Used[]): Finding[] => {
  const used = new Set(uses.filter(({ instance }) => instance === undefined).map(({ i }) => i))
  const matched = new Map<number, string[]>()
  for (const { key, path } of seen.stacks)
    for (const { i, entry } of seen.entriesOf(path)) {
      if (entry.environment === undefined || used.has(i)) continue
      const keys = matched.get(i)
      if (keys === undefined) matched.set(i, [key])
      else keys.push(key)
    }
  return [...matched].map(([i, keys]) => ({
    path: ['stacks', i, 'environment'],
    message: `no stack has '${seen.config.stacks[i]?.environment}': for ${someOf(keys)} another entry or the instance says which`,
  }))
}

/** Workspaces and environments that are no names once placeholders are replaced, and environments that no stack has. */
export const uselessSettings = (seen: Seen): Finding[] => {
  const environments = usesOf(seen, 'environment')
  const told = (uses: readonly Used[], setting: Setting) => uses.flatMap((used) => findingOf(used, setting) ?? [])
  return [
    ...told(usesOf(seen, 'workspace'), 'workspace'),
    ...told(environments, 'environment'),
    ...hidden(seen, environments),
  ]
}

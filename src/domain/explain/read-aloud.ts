import type { Cause, Explanation, Fate, Step } from './explanation.ts'

/** A step of a way with what only the files of the checkout say: the block that calls a module, and where. */
export type Named = Step & { name?: string; place?: string }

type Told = Omit<Explanation, 'causes'> & { causes: (Omit<Cause, 'steps'> & { steps: readonly Named[] })[] }

const MOST = 5

/** `a`, `a and b`, `a, b and 3 more`. */
const listed = (all: readonly string[], total: number): string => {
  const shown = all.slice(0, MOST)
  const more = total - shown.length
  if (more > 0) return `${shown.join(', ')} and ${more} more`
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`
}

/** A local module by its directory, which people know; others by their keys. */
const target = ({ to, to_path: path }: Named): string => path ?? to

const called = ({ name, place }: Named): string =>
  `${name === undefined ? '' : ` as module "${name}"`}${place === undefined ? '' : ` (${place})`}`

const stepText = (step: Named): string => {
  if (step.type === 'uses_module') return `uses ${target(step)}${called(step)}`
  return step.type === 'reads_state' ? `reads the state of ${step.to}` : `depends on ${step.to}`
}

/** What changed at the end of a way. */
const changeText = ({ files, total, watched, settings }: Told['causes'][number], isItself: boolean): string => {
  if (settings) return `svc.yml changed ${isItself ? 'its settings' : 'the settings of that'}`
  const said = `${listed(files, total)} changed`
  if (watched === undefined) return said
  return files[0] === watched
    ? `${said}, which ${isItself ? 'it' : 'that'} watches`
    : `${said}, matched by '${watched}' of watch_paths`
}

const causeText = (cause: Told['causes'][number]): string => {
  const [first, ...others] = cause.steps
  if (first === undefined)
    return `${changeText(cause, true)}${cause.watched === undefined && !cause.settings ? ', in its directory' : ''}`
  // The nearest and commonest way is said in the order in which people think of it: the file first.
  if (others.length === 0 && first.type === 'uses_module') {
    const [file = ''] = cause.files
    const where =
      first.to_path !== undefined && file.startsWith(`${first.to_path}/`) ? '' : `, part of ${target(first)}`
    return `${changeText(cause, false)}${where}, which it uses${called(first)}`
  }
  const way = [`it ${stepText(first)}`, ...others.map((step) => `which ${stepText(step)}`)].join(', ')
  return `${way}, where ${changeText(cause, false)}`
}

const fateText = ({ path, ignored, stacks = [], modules = [] }: Fate): string => {
  if (ignored) return `${path}: left out by 'ignore' of svc.yml`
  const parts = [
    ...(stacks.length > 0 ? [`belongs to ${listed(stacks, stacks.length)}`] : []),
    ...(modules.length > 0 ? [`is part of module ${listed(modules, modules.length)}`] : []),
  ]
  return `${path}: ${parts.length === 0 ? 'is in the directory of no stack and of no module that is used' : parts.join(' and ')}`
}

const followsText = ({ directories, watched, stacks }: NonNullable<Told['follows']>): string[] => [
  `it follows changes in ${listed(directories, directories.length)}`,
  ...(watched.length > 0 ? [`it watches ${listed(watched, watched.length)}`] : []),
  ...(stacks.length > 0 ? [`it comes after ${listed(stacks, stacks.length)}`] : []),
]

const notText = ({ stack, changed = [], changed_total: total, follows }: Told): string[] => {
  const many =
    total === 1 ? 'the one changed file does not concern it' : `none of the ${total} changed files concerns it`
  const rest = total - changed.length
  return [
    `${stack} is not affected: ${total === 0 ? 'nothing changed' : many}`,
    ...changed.map((fate) => `  ${fateText(fate)}`),
    ...(rest > 0 ? [`  and ${rest} more files`] : []),
    ...(follows === undefined ? [] : followsText(follows).map((line) => `  ${line}`)),
  ]
}

/** An explanation as one reads it aloud: a sentence for one cause, a list for several. */
export const readAloud = (told: Told): string[] => {
  const { stack, affected, causes, by_default_branch: hidden } = told
  if (!affected) return notText(told)
  const by = hidden ? " under the default branch's svc.yml" : ''
  const texts = causes.map(causeText)
  const [only] = texts
  if (texts.length === 1) return [`${stack} is affected${by}: ${only}`]
  return [`${stack} is affected${by}:`, ...texts.map((text) => `  ${text}`)]
}

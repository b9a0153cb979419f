import type { RepoConfig } from '#domain/config/config-file.ts'
import { compileGlob, globBase, globPlace } from '#domain/config/glob.ts'
import { filled } from '#domain/config/placeholders.ts'
import { stackConfig, stackConfigInSteps } from '#domain/config/stack-config.ts'
import { environmentOf } from '#domain/config/stack-variants.ts'
import { createPairMeter } from '#domain/config/wildcard.ts'
import { isInside, parseStackKey } from '#domain/keys.ts'
import type { Steps } from '#domain/steps.ts'
import type { PlanStack } from '../facts.ts'
import type { Rule } from './requirements.ts'

type Named = { key: string; path: string; instance: string | undefined }

/** What rules select a stack by. Environment and tags are found once, if any rule asks for them. */
type Selected = Named & { environment: () => string; tags: () => readonly string[] }

type Selector = (stack: Selected) => boolean

/** What a rule selects stacks by: any of its globs, and all else that it names. */
type Selectors = { globs: { chars: number; selects: Selector }[] | undefined; others: Selector[] }

const globSelector = (glob: string): Selector => {
  const base = globBase(glob)
  // the most common of them, and a path need not be split for it
  if (base !== '' && glob === `${base}/**`) return ({ path, key }) => isInside(path, base) || isInside(key, base)
  const matches = compileGlob(glob)
  return ({ path, key }) => matches(path) || (key !== path && matches(key))
}

const selectorsOf = ({ match, environment, tag }: Rule): Selectors => {
  const others: Selector[] = []
  if (environment !== undefined) {
    // the code host does not tell environments apart by letter case
    const named = environment.map((text) => text.toLowerCase())
    others.push((stack) => {
      const under = stack.environment()
      return named.some((text) => (text.includes('{') ? filled(text, stack)?.toLowerCase() : text) === under)
    })
  }
  if (tag !== undefined) {
    const tags = new Set(tag)
    others.push((stack) => stack.tags().some((own) => tags.has(own)))
  }
  return { globs: match?.map((glob) => ({ chars: glob.length, selects: globSelector(glob) })), others }
}

function* isSelected({ globs, others }: Selectors, stack: Selected): Steps<boolean> {
  if (!others.every((selects) => selects(stack))) return false
  if (globs === undefined) return true
  const isLong = createPairMeter()
  for (const { chars, selects } of globs) {
    if (selects(stack)) return true
    if (isLong(chars, stack.path.length + stack.key.length)) yield
  }
  return false
}

const selectedOf = (config: RepoConfig, named: Named): Selected => {
  let environment: string | undefined
  return {
    key: named.key,
    path: named.path,
    instance: named.instance,
    environment: () => {
      environment ??= environmentOf(config, named).toLowerCase()
      return environment
    },
    // which remembers what it found
    tags: () => stackConfig(config, named.path).tags,
  }
}

/**
 * A planned stack is named by a job of the pull request: by its key, which is what an apply changes, and by its path, which says
 * under which environment. A rule is taken if either matches.
 */
const namesOf = ({ key, path, instance }: Pick<PlanStack, 'key' | 'path' | 'instance'>): Named[] => {
  const byKey = parseStackKey(key)
  const named = { key, path: byKey.path, instance: byKey.instance }
  const isSame = path === undefined || (path === byKey.path && instance === byKey.instance)
  return isSame ? [named] : [named, { key, path, instance }]
}

/** Rules by what most stacks are told apart from them by: the directory that their globs begin with, or the environment. */
type Index = {
  rules: Selectors[]
  byBase: Map<string, number[]>
  byEnvironment: Map<string, number[]>
  others: number[]
}

const push = (map: Map<string, number[]>, name: string, place: number): void => {
  const known = map.get(name)
  if (known === undefined) map.set(name, [place])
  else if (known.at(-1) !== place) known.push(place)
}

function* indexOf(rules: readonly Rule[]): Steps<Index> {
  const index: Index = { rules: [], byBase: new Map(), byEnvironment: new Map(), others: [] }
  for (const [place, rule] of rules.entries()) {
    yield
    const { match, environment } = rule
    index.rules.push(selectorsOf(rule))
    if (match !== undefined) for (const glob of match) push(index.byBase, globPlace(glob), place)
    else if (environment !== undefined && !environment.some((text) => text.includes('{')))
      for (const text of environment) push(index.byEnvironment, text.toLowerCase(), place)
    else index.others.push(place)
  }
  return index
}

/** The rules that may match: of each directory above the stack, and of its environment. */
const candidates = (index: Index, stack: Selected): number[] => {
  const found = [...index.others]
  const { byBase, byEnvironment } = index
  if (stack.key !== stack.path) found.push(...(byBase.get(stack.key) ?? []))
  for (let base = stack.path; byBase.size > 0; base = base.slice(0, Math.max(0, base.lastIndexOf('/')))) {
    const places = byBase.get(base)
    if (places !== undefined) found.push(...places)
    if (base === '') break
  }
  if (byEnvironment.size > 0) found.push(...(byEnvironment.get(stack.environment()) ?? []))
  return found
}

/**
 * Which rules match a stack by what it is, by their places: `match`, `environment` and `tag`, as the default branch's file says. A
 * rule without any of these matches all. In steps: a stack's settings too are found by globs.
 */
export function* rulesOfStack(
  config: RepoConfig,
): Steps<(stack: Pick<PlanStack, 'key' | 'path' | 'instance'>) => Steps<number[]>> {
  const index = yield* indexOf(config.apply.rules)
  const asksSettings = config.apply.rules.some(({ environment, tag }) => environment !== undefined || tag !== undefined)
  return function* (stack) {
    const found = new Set<number>()
    for (const named of namesOf(stack)) {
      if (asksSettings) yield* stackConfigInSteps(config, named.path)
      const selected = selectedOf(config, named)
      for (const place of candidates(index, selected)) {
        yield
        const rule = index.rules[place]
        if (rule !== undefined && !found.has(place) && (yield* isSelected(rule, selected))) found.add(place)
      }
    }
    return [...found].sort((a, b) => a - b)
  }
}

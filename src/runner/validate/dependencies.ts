import { isLiteral } from '#domain/config/glob.ts'
import { nearest } from '#domain/edit-distance.ts'
import type { StackNode } from '#domain/graph/graph.ts'
import { parseQualifiedKey, tagIn } from '#domain/keys.ts'
import { DependsOnFault, dependencyFinder } from '#domain/resolution/depends-on.ts'
import { type Finding, meant } from './finding.ts'
import type { Seen } from './seen.ts'

/** Whom an entry names does not depend on who asks: nobody asks for a stack that nothing else names. */
const nobody: StackNode = { key: '', path: '' }

/** Most tags have one line in svc.yml each; more are no list that a slip would be looked for in. */
const TAGS_COMPARED = 1000

const unknownName = ({ names }: Seen, tags: readonly string[], written: string): string => {
  const tag = tagIn(written)
  if (tag !== undefined) {
    const near = nearest(tag, tags)
    return `'${written}' is the tag of no stack${meant(near === undefined ? undefined : `tag:${near}`)}`
  }
  const what = isLiteral(written) ? 'is no stack of this repository' : 'matches no stack of this repository'
  return `'${written}' ${what}${meant(names.keys.nearest(written))}`
}

/** Entries of depends_on that name no stack. One of another repository is believed: what is there, only the service knows. */
export const unknownDependencies = (seen: Seen): Finding[] => {
  const { config, repo, stacks } = seen
  const find = dependencyFinder(repo, stacks)
  const tags = [...new Set(stacks.flatMap((stack) => stack.tags ?? []))].slice(0, TAGS_COMPARED)
  const known = new Map<string, string | undefined>()

  const look = (written: string): string | undefined => {
    const other = parseQualifiedKey(written)
    const isOther = other !== undefined && other.repo.toLowerCase() !== repo.toLowerCase()
    if (isOther && isLiteral(other.key)) return undefined
    if (isOther) return `'${written}' is a glob: stacks of other repositories are named in full`
    return find(nobody, written) === undefined ? unknownName(seen, tags, written) : undefined
  }

  const findings: Finding[] = []
  try {
    for (const [i, { depends_on = [] }] of config.stacks.entries())
      for (const [j, written] of depends_on.entries()) {
        if (!known.has(written)) known.set(written, look(written))
        const message = known.get(written)
        if (message !== undefined) findings.push({ path: ['stacks', i, 'depends_on', j], message })
      }
  } catch (error) {
    if (!(error instanceof DependsOnFault)) throw error
    findings.push({ path: ['stacks'], message: error.message })
  }
  return findings
}

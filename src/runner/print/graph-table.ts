import type { Graph, StackNode } from '#domain/graph/graph.ts'
import { printTable } from './table.ts'

const HEAD = ['STACK', 'TOOL', 'ENVIRONMENT', 'STATE', 'DEPENDS ON', 'MODULES']

const state = ({ backend, external, repo }: StackNode): string => {
  if (external === true) return `in ${repo ?? 'another repository'}`
  return backend === undefined ? '' : [backend.type, backend.bucket, backend.key].filter((part) => part).join(' ')
}

/** The graph as a table for people: a line per stack, with what it depends on and how many modules it uses directly. */
export const printGraphTable = ({ stacks, modules, edges }: Graph): string => {
  const needs = new Map<string, Set<string>>()
  const uses = new Map<string, Set<string>>()
  for (const { from, to, type } of edges) {
    if (from.kind !== 'stack') continue
    const into = type === 'uses_module' ? uses : needs
    into.set(from.key, (into.get(from.key) ?? new Set()).add(to.key))
  }
  const isListed = stacks.some(({ config }) => config?.found_by !== undefined)
  const rows = stacks.map((stack) => [
    stack.key,
    ...(isListed ? [String(stack.config?.found_by ?? 'scan')] : []),
    [stack.tool, stack.tool_version].filter((part) => part !== undefined).join(' '),
    stack.environment ?? '',
    state(stack),
    [...(needs.get(stack.key) ?? [])].join(', '),
    String(uses.get(stack.key)?.size ?? 0),
  ])
  const count = (n: number, what: string): string => `${n} ${what}${n === 1 ? '' : 's'}`
  return `${printTable([isListed ? HEAD.toSpliced(1, 0, 'FOUND BY') : HEAD, ...rows])}\n${count(stacks.length, 'stack')}, ${count(modules.length, 'module')}, ${count(edges.length, 'edge')}\n`
}

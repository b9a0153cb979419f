import type { Edge, Graph } from '#domain/graph/graph.ts'

const quote = (text: string): string =>
  `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`

const STYLE: Readonly<Record<Edge['type'], string>> = {
  uses_module: 'color=gray',
  depends_on: 'color=black',
  reads_state: 'color=blue, style=dashed',
}

const id = (kind: Edge['from']['kind'], key: string): string => quote(`${kind} ${key}`)

const edgeLine = ({ from, to, type, meta }: Edge): string => {
  const label = meta?.ref === undefined ? type : `${type} ${meta.ref}`
  return `  ${id(from.kind, from.key)} -> ${id(to.kind, to.key)} [label=${quote(label)}, ${STYLE[type]}]`
}

/** The graph in Graphviz's language: stacks as boxes, modules as ellipses, arrows from the dependent to what it depends on. */
export const printDot = ({ repo, stacks, modules, edges }: Graph): string =>
  [
    `digraph ${quote(repo)} {`,
    '  rankdir=LR',
    '  node [fontname="sans-serif"]',
    ...stacks.map(
      ({ key, external }) =>
        `  ${id('stack', key)} [label=${quote(key)}, shape=box${external ? ', style=dashed' : ''}]`,
    ),
    ...modules.map(({ key, kind }) => `  ${id('module', key)} [label=${quote(`${key}\n${kind}`)}, shape=ellipse]`),
    ...edges.map(edgeLine),
    '}',
    '',
  ].join('\n')

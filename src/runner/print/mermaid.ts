import type { Edge, Graph } from '#domain/graph/graph.ts'

/** Inside quotes Mermaid reads entities such as `#quot;`, and `<` would be markup. */
const text = (label: string): string =>
  `"${label.replaceAll('#', '#35;').replaceAll('"', '#quot;').replaceAll('<', '#lt;').replaceAll('>', '#gt;')}"`

const ARROW: Readonly<Record<Edge['type'], string>> = {
  uses_module: '-.->',
  depends_on: '==>',
  reads_state: '-->',
}

/** The graph as a Mermaid flowchart, which code hosts draw in comments and documents. Nodes are numbered: keys hold any text. */
export const printMermaid = ({ stacks, modules, edges }: Graph): string => {
  const ids = new Map<string, string>()
  for (const [i, { key }] of stacks.entries()) ids.set(`stack ${key}`, `s${i}`)
  for (const [i, { key }] of modules.entries()) ids.set(`module ${key}`, `m${i}`)
  const idOf = ({ kind, key }: Edge['from']): string => ids.get(`${kind} ${key}`) ?? ''
  return [
    'flowchart LR',
    ...stacks.map(({ key, external }, i) => (external ? `  s${i}[[${text(key)}]]` : `  s${i}[${text(key)}]`)),
    ...modules.map(({ key }, i) => `  m${i}([${text(key)}])`),
    ...edges.map(({ from, to, type, meta }) => {
      const label = meta?.ref === undefined ? type : `${type} ${meta.ref}`
      return `  ${idOf(from)} ${ARROW[type]}|${text(label)}| ${idOf(to)}`
    }),
    '',
  ].join('\n')
}

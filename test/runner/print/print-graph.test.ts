import t from 'tap'
import type { Graph } from '#domain/graph/graph.ts'
import { isGraphFormat, printGraph } from '#runner/print/print-graph.ts'

const graph: Graph = {
  repo: 'acme/infra',
  sha: 'a'.repeat(40),
  tree_hash: 'b',
  stacks: [
    {
      key: 'app',
      path: 'app',
      tool: 'terraform',
      tool_version: '1.11.4',
      environment: 'prod',
      backend: { type: 's3', bucket: 'b', key: 'app' },
    },
    { key: 'o"dd#', path: 'o"dd#', tool: 'tofu', environment: 'default', backend: { type: 'local', key: 'x' } },
    { key: 'acme/base//core', path: 'core', external: true, repo: 'acme/base' },
  ],
  modules: [{ key: 'acme/mods//vpc', kind: 'git', source: 'github.com/acme/mods//vpc' }],
  edges: [
    {
      from: { kind: 'stack', key: 'app' },
      to: { kind: 'module', key: 'acme/mods//vpc' },
      type: 'uses_module',
      meta: { ref: 'v1' },
    },
    { from: { kind: 'stack', key: 'app' }, to: { kind: 'stack', key: 'acme/base//core' }, type: 'depends_on' },
    { from: { kind: 'stack', key: 'app' }, to: { kind: 'stack', key: 'o"dd#' }, type: 'reads_state', inferred: true },
  ],
}

t.test('as JSON it is the graph itself', async (t) => {
  t.same(JSON.parse(printGraph(graph, 'json')), graph)
})

t.test('as DOT', async (t) => {
  t.equal(
    printGraph(graph, 'dot'),
    String.raw`digraph "acme/infra" {
  rankdir=LR
  node [fontname="sans-serif"]
  "stack app" [label="app", shape=box]
  "stack o\"dd#" [label="o\"dd#", shape=box]
  "stack acme/base//core" [label="acme/base//core", shape=box, style=dashed]
  "module acme/mods//vpc" [label="acme/mods//vpc\ngit", shape=ellipse]
  "stack app" -> "module acme/mods//vpc" [label="uses_module v1", color=gray]
  "stack app" -> "stack acme/base//core" [label="depends_on", color=black]
  "stack app" -> "stack o\"dd#" [label="reads_state", color=blue, style=dashed]
}
`,
  )
})

t.test('as Mermaid', async (t) => {
  t.equal(
    printGraph(graph, 'mermaid'),
    `flowchart LR
  s0["app"]
  s1["o#quot;dd#35;"]
  s2[["acme/base//core"]]
  m0(["acme/mods//vpc"])
  s0 -.->|"uses_module v1"| m0
  s0 ==>|"depends_on"| s2
  s0 -->|"reads_state"| s1
`,
  )
})

t.test('as a table it holds nothing of a name that a terminal obeys', async (t) => {
  t.equal(
    printGraph(graph, 'table'),
    `STACK            TOOL              ENVIRONMENT  STATE         DEPENDS ON              MODULES
app              terraform 1.11.4  prod         s3 b app      acme/base//core, o"dd#  1
o"dd#            tofu              default      local x                               0
acme/base//core                                 in acme/base                          0

3 stacks, 1 module, 3 edges
`,
  )
  const hostile = { ...graph, stacks: [{ key: 'a\u001b[2Jb', path: 'a' }], edges: [] }
  t.notOk(printGraph(hostile, 'table').includes('\u001b'))
  t.same(['json', 'dot', 'mermaid', 'table', 'xml', 'toString'].filter(isGraphFormat), [
    'json',
    'dot',
    'mermaid',
    'table',
  ])
})

t.test('a table has as many rows as there are', async (t) => {
  const stacks = Array.from({ length: 200_000 }, (_, i) => ({ key: `s${i}`, path: `s${i}` }))
  t.match(printGraph({ ...graph, stacks, edges: [] }, 'table'), /\ns199999 +0\n\n200000 stacks, /)
})

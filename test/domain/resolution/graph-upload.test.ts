import t from 'tap'
import { parseGraphUpload } from '#domain/resolution/graph-upload.ts'
import { graphOf } from '#test/domain/graph/graph-of.ts'

const upload = (graph: object, rest: object = {}) => ({
  graph,
  changed_paths: ['a/main.tf'],
  config: { version: 1, tool: 'terraform' },
  ...rest,
})

t.test('an upload in normal form', async (t) => {
  const graph = graphOf({ a: { depends: ['b'] }, b: { uses: ['modules/m'] } }, { 'modules/m': {} })
  const parsed = parseGraphUpload({
    ...upload(graph, { changed_paths: ['./a/main.tf', 'a/main.tf', 'b/'], base_sha: null, stacks: [], later: 1 }),
  })
  t.ok(parsed.ok, JSON.stringify(parsed))
  if (!parsed.ok) return
  t.same(parsed.upload.graph, graph)
  t.same(parsed.upload.changedPaths, ['a/main.tf', 'b'])
  t.equal(parsed.upload.config?.tool, 'terraform')
  t.same([parsed.upload.baseSha, parsed.upload.stacks], [undefined, undefined])
})

t.test('clients of other versions', async (t) => {
  const bare = { repo: 'acme/infra', sha: 'a', tree_hash: 't' }
  const stacks = [
    { key: 'app:prod', path: 'app', workspace: 'prod' },
    { key: 'net', path: './net/', workspace: 'shared', later: { a: 1 }, config: { depends_on: ['x'], kept: true } },
    { key: 'plain', path: 'plain', workspace: 'default' },
    { key: '.', path: '' },
    { key: 'app:dev', path: 'app', instance: 'dev', workspace: 'w' },
    { key: 'acme/core//dns', path: 'dns', external: true },
  ]
  const parsed = parseGraphUpload({ graph: { ...bare, stacks, later: 1 } })
  t.ok(parsed.ok, JSON.stringify(parsed))
  if (!parsed.ok) return
  t.same(parsed.upload.graph.stacks, [
    { key: 'app:prod', path: 'app', workspace: 'prod', instance: 'prod' },
    {
      key: 'net',
      path: 'net',
      workspace: 'shared',
      instance: 'shared',
      config: { depends_on: ['x'], kept: true },
    },
    { key: 'plain', path: 'plain', workspace: 'default' },
    { key: '.', path: '.' },
    { key: 'app:dev', path: 'app', instance: 'dev', workspace: 'w' },
    { key: 'acme/core//dns', path: 'dns', external: true, repo: 'acme/core' },
  ])
  t.same([parsed.upload.graph.modules, parsed.upload.changedPaths, parsed.upload.config], [[], [], undefined])
})

t.test('null and the empty string are a field left out', async (t) => {
  const node = { key: '.', path: '', backend: { type: 's3', bucket: '', key: 'k', region: null }, config: { x: null } }
  const empty = {
    constructor: { later: null },
    environment: '',
    instance: '',
    workspace: '',
    tool: '',
    watch_paths: null,
    external: null,
    repo: '',
  }
  const edge = { from: { kind: 'stack', key: '.' }, to: { kind: 'module', key: 'm' }, type: 'uses_module' }
  const graph = {
    ...{
      repo: 'acme/infra',
      sha: 'a',
      tree_hash: 't',
      stacks: [{ ...node, ...empty, plan_output: null, tool_version: '' }],
    },
    modules: [{ key: 'm', kind: 'local', path: '', source: null }],
    edges: [{ ...edge, inferred: null, meta: { ref: '', source: 'x' } }],
  }
  const parsed = parseGraphUpload({ graph })
  t.same(parsed.ok ? parsed.upload.graph : parsed, {
    ...graph,
    stacks: [{ key: '.', path: '.', backend: { type: 's3', key: 'k' }, config: { x: null } }],
    modules: [{ key: 'm', kind: 'local' }],
    edges: [{ ...edge, meta: { source: 'x' } }],
  })
  t.match(parseGraphUpload({ graph: { ...graph, modules: null, edges: null } }), {
    upload: { graph: { modules: [], edges: [] } },
  })
})

t.test(
  'a stack of another repository is named without regard to letter case, and managed users have underscores',
  async (t) => {
    const nodes = ['mona/infra', 'mona_octo/infra'].map((repo) => ({
      key: `${repo}//net`,
      path: 'net',
      external: true,
    }))
    const parsed = parseGraphUpload(
      upload({
        ...graphOf({}),
        stacks: nodes.map((node, i) => ({ ...node, repo: ['Mona/Infra', 'mona_octo/infra'][i] })),
      }),
    )
    t.match(parsed, { ok: true, upload: { graph: { stacks: [{ repo: 'mona/infra' }, { repo: 'mona_octo/infra' }] } } })
  },
)

t.test(
  "a workspace that the configuration selects for a whole directory is not an old client's instance",
  async (t) => {
    const graph = { ...graphOf({ net: { workspace: 'shared' } }) }
    const parsed = parseGraphUpload(
      upload(graph, { config: { version: 1, tool: 'tofu', stacks: [{ match: 'net', workspace: 'shared' }] } }),
    )
    t.same(parsed.ok && parsed.upload.graph.stacks, graph.stacks)
  },
)

t.test('a problem is reported with its field', async (t) => {
  const stack = { kind: 'stack', key: 'a' } as const
  const module = { kind: 'module', key: 'm' } as const
  const graph = graphOf({ a: {} }, { m: {} })
  const stacks = (...nodes: object[]) => upload({ ...graph, edges: [], stacks: nodes })
  const edge = (from: object, to: object, type: string) => upload({ ...graph, edges: [{ from, to, type }] })
  const deep = '['.repeat(20_000) + ']'.repeat(20_000)
  const cases: [string, object | null, RegExp][] = [
    ['body', null, /^must be an object$/],
    ['graph', {}, /^is missing: must be an object$/],
    ['graph.stacks', { graph: { ...graph, stacks: {} } }, /^must be a list$/],
    ['graph.stacks[0]', { graph: { ...graph, stacks: JSON.parse(deep) } }, /^must be an object$/],
    ['graph.stacks[0].key', stacks({ key: '', path: 'a' }), /^must not be empty$/],
    ['graph.stacks[0].key', stacks({ key: 'a'.repeat(1001), path: 'a'.repeat(1001) }), /up to 1000 characters/],
    ['graph.stacks[0].path', stacks({ key: 'a' }), /^is missing: must be a string$/],
    ['graph.stacks[1].key', stacks({ key: 'a', path: 'a' }, { key: 'a', path: 'a' }), /'a' is in the graph twice/],
    ['graph.stacks[0].key', stacks({ key: 'prod/db', path: 'a' }), /expected 'a'/],
    ['graph.stacks[0].key', stacks({ key: 'a', path: 'a', instance: 'eu' }), /expected 'a:eu'/],
    ['graph.stacks[0].key', stacks({ key: 'a\nb', path: 'a\nb' }), /control characters/],
    ['graph.stacks[0].path', stacks({ key: '../a', path: '../a' }), /'\.\.\/a' is not a path/],
    ['graph.stacks[0].path', stacks({ key: '/a', path: '/a' }), /relative/],
    ['graph.stacks[0].instance', stacks({ key: 'a:Default', path: 'a', instance: 'Default' }), /not an instance name/],
    ['graph.stacks[0].key', stacks({ key: 'dns', path: 'dns', external: true }), /owner\/repo\/\/key/],
    ['graph.stacks[0].repo', stacks({ key: 'a/b//c', path: 'c', external: true, repo: 'x/y' }), /'x\/y'/],
    [
      'graph.stacks[0].tool',
      stacks({ key: 'a', path: 'a', tool: 'make' }),
      /^must be one of terraform, tofu, terragrunt$/,
    ],
    [
      'graph.modules[1].key',
      upload({ ...graph, modules: [graph.modules[0], graph.modules[0]] }),
      /'m' is in the graph/,
    ],
    ['graph.edges[0].to', edge(stack, { kind: 'stack', key: 'b' }, 'depends_on'), /no stack 'b'/],
    ['graph.edges[0].from', edge({ kind: 'module', key: 'x' }, module, 'uses_module'), /no module 'x'/],
    ['graph.edges[0].to', edge(stack, stack, 'uses_module'), /leads to a module, not to a stack/],
    ['graph.edges[0].to', edge(stack, module, 'reads_state'), /leads to a stack, not to a module/],
    ['graph.edges[0].type', edge(stack, module, 'likes'), /^must be one of uses_module, depends_on, reads_state$/],
    ['changed_paths[1]', upload(graph, { changed_paths: ['a', '../b'] }), /'\.\.\/b' is not a path/],
    ['changed_paths', upload(graph, { changed_paths: 'a' }), /^must be a list$/],
    ['config', upload(graph, { config: 1 }), /^must be an object$/],
    ['config.tool', upload(graph, { config: { version: 1 } }), /is missing: expected terraform, tofu or terragrunt/],
    ['config.apply.mode', upload(graph, { config: { version: 1, tool: 'tofu', apply: { mode: 1 } } }), /comment/],
  ]
  for (const [field, body, reason] of cases) t.match(parseGraphUpload(body), { ok: false, field, reason }, `${reason}`)
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { readListing } from '#runner/listing/read-listing.ts'
import { Listing } from '#runner/scan/listing.ts'
import { scanDir, scanTree, writeTree } from './scan-tree.ts'

const resource = 'resource "terraform_data" "x" {}\n'
const backend = (key: string) => `terraform {\n  backend "s3" {\n    bucket = "b"\n    key    = "${key}"\n  }\n}\n`

const scanWith = async (t: { testdir: () => string }, tree: Record<string, string>, listing: unknown, config = '') => {
  const dir = t.testdir()
  writeTree(dir, tree)
  const { graph, warnings } = await scanDir(dir, config, {
    listing: Listing.parse({ version: 1, ...(listing as object) }),
  })
  return {
    graph,
    stack: (key: string) => graph.stacks.find((one) => one.key === key),
    keys: graph.stacks.map(({ key }) => key),
    edges: graph.edges.map(({ from, to, type }) => `${from.key} ${type} ${to.key}`),
    codes: warnings.map(({ code }) => code),
  }
}

t.test('what is listed is a stack, beside what the scan finds', async (t) => {
  const { keys, stack, edges, codes } = await scanWith(
    t,
    {
      'found/main.tf': `${resource}${backend('found')}`,
      'modules/m/main.tf': resource,
      'reader/main.tf':
        'data "terraform_remote_state" "x" {\n  backend = "s3"\n  config = { bucket = "b", key = "out" }\n}\n',
    },
    {
      stacks: [
        { path: 'cdktf.out/net', backend: { type: 's3', bucket: 'b', key: 'out' }, watch_paths: ['src/**'] },
        { path: './modules/m/', tool: 'tofu', tool_version: '1.9.0', depends_on: ['cdktf.out/net', 'acme/dns//zones'] },
        { path: 'found', depends_on: ['modules/m'] },
        { path: 'left/out' },
      ],
      edges: [
        { from: 'reader', to: 'found' },
        { from: 'found', to: 'cdktf.out/net', type: 'reads_state' },
        { from: 'nowhere', to: 'found' },
        { from: 'found', to: 'nowhere' },
      ],
    },
    'discover: { exclude: ["left/**"] }\nstacks: [{ match: found, tool_version: "1.5.0", watch_paths: ["own/**"] }]\n',
  )
  t.same(keys, ['acme/dns//zones', 'cdktf.out/net', 'found', 'modules/m', 'reader'])
  t.same(edges, [
    'found depends_on modules/m',
    'found reads_state cdktf.out/net',
    'modules/m depends_on acme/dns//zones',
    'modules/m depends_on cdktf.out/net',
    'reader depends_on found',
    'reader reads_state cdktf.out/net',
  ])
  t.match(stack('cdktf.out/net'), { backend: { key: 'out' }, watch_paths: ['src/**'], tool: 'terraform' })
  t.match(stack('modules/m'), { tool: 'tofu', tool_version: '1.9.0', config: { found_by: 'discover.command' } })
  t.match(stack('found'), { tool_version: '1.5.0', backend: { key: 'found' }, watch_paths: ['own/**'] })
  t.equal(stack('reader')?.config, undefined)
  t.same(codes, ['dependency_unknown', 'dependency_unknown'])
})

t.test('instances of a listing and of svc.yml are instances alike', async (t) => {
  const { keys, stack, edges } = await scanWith(
    t,
    { 'app/main.tf': resource, 'net/main.tf': resource },
    {
      stacks: [
        { path: 'app', watch_paths: ['all/**'] },
        { path: 'app', instance: 'eu', workspace: 'eu-1', watch_paths: ['eu/**'] },
        { path: 'net', instance: 'eu' },
        { path: 'net', instance: 'us', workspace: 'listed' },
      ],
      edges: [{ from: 'app', to: 'net' }],
    },
    'stacks:\n  - { match: app, instances: { us: } }\n  - { match: net, instances: { us: { workspace: own } } }\n',
  )
  t.same(keys, ['app:eu', 'app:us', 'net:eu', 'net:us'])
  t.same(edges, ['app:eu depends_on net:eu', 'app:us depends_on net:us'])
  t.match(stack('app:eu'), { workspace: 'eu-1', watch_paths: ['eu/**'] })
  t.match(stack('app:us'), { watch_paths: ['all/**'] })
  t.equal(stack('net:us')?.workspace, 'own', 'svc.yml wins')
})

t.test('another listing is another graph', async (t) => {
  const { dir, graph } = await scanTree(t, { 'app/main.tf': resource })
  const listed = await scanDir(dir, '', { listing: Listing.parse({ version: 1, stacks: [{ path: 'app' }] }) })
  t.not(listed.graph.tree_hash, graph.tree_hash)
})

t.test('a listing at fault is refused, and each field named', async (t) => {
  const cases: [text: string, says: RegExp][] = [
    ['', /^it: its output is empty: expected \{"version": 1/],
    ['{"version": 1,\n oops}', /^it: its output is no JSON, at 2:2/],
    ['[]', /^it: .*expected object/i],
    ['{"version": 2}', /^it: version: .*expected 1/],
    ['{"version": 1, "stack": []}', /"stack"/],
    [
      '{"version": 1, "stacks": [{}, {"path": "../x"}]}',
      /stacks\[0\]\.path: .*; stacks\[1\]\.path: expected a path from the repository's root/,
    ],
    [
      '{"version": 1, "stacks": [{"path": "a", "instance": "default"}]}',
      /stacks\[0\]\.instance: expected a letter or digit/,
    ],
    ['{"version": 1, "stacks": [{"path": "a", "tool": "make"}]}', /stacks\[0\]\.tool: .*"terragrunt"/],
    ['{"version": 1, "edges": [{"from": "a", "to": "b", "type": "x"}]}', /edges\[0\]\.type: .*"reads_state"/],
    [JSON.stringify({ version: 1, stacks: new Array(20).fill({}) }), /; and 10 more \(docs\/discover\.md\)$/],
  ]
  for (const [text, says] of cases) t.throws(() => readListing(text, 'it'), { message: says }, text)
})

t.test('the example of docs/discover.md is a listing', async (t) => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/discover.md'), 'utf8')
  const [example = ''] = [...page.matchAll(/```json\n(.*?)```/gs)].map(([, text = '']) => text)
  t.match(readListing(example, 'docs/discover.md'), {
    stacks: [{ watch_paths: ['src/network/**'] }, { instance: 'eu-prod' }],
  })
})

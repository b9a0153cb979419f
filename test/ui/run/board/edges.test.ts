import t from 'tap'
import { edgePaths } from '../../../../ui/run/board/edge-paths.ts'
import { layOut } from '../../../../ui/run/board/layout.ts'
import { dependentsOf, needsOf } from '../../../../ui/run/state/ordering.ts'

type Graph = Parameters<typeof needsOf>[0]

const edge = (from: string, to: string, type: Graph['edges'][number]['type'], more: object = {}) => {
  const node = (name: string) => ({
    kind: name.startsWith('modules/') ? ('module' as const) : ('stack' as const),
    key: name,
  })
  return { from: node(from), to: node(to), type, ...more }
}
const stacks = ['net', 'db', 'app', 'web'].map((key) => ({ key, path: key }))

t.test('a stack needs what it depends on or reads the state of, through modules too', async (t) => {
  const needs = needsOf({
    stacks,
    edges: [
      edge('db', 'net', 'reads_state', { inferred: true, meta: { bucket: 'acme', key: 'net.tfstate' } }),
      edge('app', 'db', 'depends_on'),
      edge('app', 'modules/a', 'uses_module'),
      edge('modules/a', 'modules/b', 'uses_module'),
      edge('modules/b', 'net', 'reads_state'),
      edge('web', 'web', 'depends_on'),
    ],
  })
  t.same(needs.get('db'), [{ on: 'net', type: 'reads_state', inferred: true, state: 'acme/net.tfstate' }])
  t.same(needs.get('app'), [
    { on: 'db', type: 'depends_on', inferred: false },
    { on: 'net', type: 'reads_state', inferred: false, through: 'modules/a' },
  ])
  t.same(needs.get('web'), [])
  t.same(dependentsOf(needs, 'net', ['app', 'db', 'web']), ['app', 'db'])
})

t.test('modules that use each other come to an end', async (t) => {
  const needs = needsOf({
    stacks,
    edges: [
      edge('app', 'modules/a', 'uses_module'),
      edge('modules/a', 'modules/b', 'uses_module'),
      edge('modules/b', 'modules/a', 'uses_module'),
    ],
  })
  t.same(needs.get('app'), [])
})

t.test(
  'lines go from what a stack needs to it, and on to what it blocks, as far as these are on the board',
  async (t) => {
    const waves = [
      { wave: 0, cards: ['net'], cells: [] },
      { wave: 1, cards: ['db'], cells: [] },
      { wave: 2, cards: ['app', 'web'], cells: [] },
    ]
    const layout = layOut(waves, { width: 1000, steadyWidth: 1000, isNarrow: false })
    const paths = edgePaths(layout, {
      key: 'db',
      needs: ['net', 'gone'],
      dependents: ['app', 'web'],
      blocked: new Set(['app']),
    })
    const right = (key: string) => (layout.places.get(key)?.x ?? 0) + layout.cardWidth
    t.match(paths.needs, new RegExp(`^M${right('net')} \\d+C.* ${layout.places.get('db')?.x} \\d+$`))
    t.match(paths.blocks, new RegExp(`^M${right('db')} \\d+C[^M]*$`), 'one line')
    t.match(paths.before, new RegExp(`^M${right('db')} \\d+C[^M]*$`))
    t.same(edgePaths(layout, { key: 'gone', needs: ['net'], dependents: [], blocked: new Set() }), {
      ...{ needs: '', blocks: '', before: '' },
    })
  },
)

import t from 'tap'
import { resolve } from '#domain/resolution/resolve.ts'
import { configOf, scanTree } from './scan-tree.ts'

const backend = 'terraform {\n  backend "local" {}\n}\n'

t.test('the version file that decides is watched where it is outside of the directory', async (t) => {
  const { graph, stack } = await scanTree(
    t,
    {
      '.terraform-version': '1.9.0\n',
      'a/main.tf': backend,
      'own/.terraform-version': '1.5.0\n',
      'own/main.tf': backend,
      'pinned/main.tf': backend,
      'tools/.tool-versions': 'opentofu 1.9.0\n',
      'tools/x/main.tf': backend,
      'tools/t/main.tofu': backend,
      'odd/.terraform-version': 'latest\n',
      'odd/x/main.tf': backend,
    },
    'stacks: [{match: pinned, tool_version: 1.7.0}]',
  )
  const watched = Object.fromEntries(graph.stacks.map(({ key, watch_paths }) => [key, watch_paths]))
  t.same(watched, {
    a: ['.terraform-version'],
    'odd/x': undefined,
    own: undefined,
    pinned: undefined,
    'tools/t': ['tools/.tool-versions'],
    'tools/x': ['.terraform-version'],
  })
  t.equal(stack('odd/x')?.tool_version, undefined, 'the nearest says no version, so none decides')
  const { affected } = resolve({ graph, changedPaths: ['.terraform-version'], config: configOf('') })
  t.same(
    affected.map(({ key }) => key),
    ['a', 'tools/x'],
  )
})

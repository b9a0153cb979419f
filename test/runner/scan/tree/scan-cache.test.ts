import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { scanDir, type Tree, writeTree } from '../scan-tree.ts'

const git = (dir: string, ...args: string[]): string =>
  execFileSync('git', ['-C', dir, '-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })

const stack = (key: string) => `terraform {\n  backend "s3" {\n    bucket = "b"\n    key = "${key}"\n  }\n}\n`

const tree: Tree = {
  'net/main.tf': stack('net'),
  'app/main.tf': 'terraform {\n  backend "s3" {}\n}\n',
  'config/app.hcl': 'bucket = "b"\nkey = "app"\n',
  'README.md': 'words\n',
  'svc.yml': 'version: 1\n',
}
const config = 'stacks: [{match: app, backend_config: [../config/app.hcl]}]'

const checkout = (t: { testdir: () => string }, files: Tree = tree) => {
  const home = t.testdir()
  const dir = join(home, 'tree')
  writeTree(dir, files)
  git(dir, 'init', '-q')
  git(dir, 'add', '-A')
  git(dir, 'commit', '-qm', 'one')
  const cacheDir = join(home, 'cache')
  return { home, dir, cacheDir, scan: (said = config) => scanDir(dir, said, { cacheDir }) }
}

const keyOfApp = ({ graph }: Awaited<ReturnType<typeof scanDir>>) =>
  graph.stacks.find(({ key }) => key === 'app')?.backend?.key

t.test('an unchanged tree is answered from the cache, and with an equal answer', async (t) => {
  const { dir, scan } = checkout(t)
  const first = await scan()
  const second = await scan()
  t.equal(first.cached, false)
  t.equal(second.cached, true)
  t.same(second.graph, first.graph)
  t.same(second.warnings, first.warnings)
  writeFileSync(join(dir, 'README.md'), 'other words\n')
  t.equal((await scan()).cached, true, 'a file that no scan reads changes nothing')
  git(dir, 'commit', '-qam', 'two')
  t.equal((await scan()).cached, true)
  t.equal((await scan()).cached, true)
  t.equal((await scanDir(dir, config)).cached, false, 'and without a cache directory nothing is kept')
})

const changes: [name: string, change: (dir: string) => void][] = [
  ['an edit', (dir) => writeFileSync(join(dir, 'net/main.tf'), stack('ten'))],
  [
    'an edit that is staged',
    (dir) => {
      writeFileSync(join(dir, 'net/main.tf'), stack('ten'))
      git(dir, 'add', '-A')
    },
  ],
  [
    'a commit',
    (dir) => {
      writeFileSync(join(dir, 'net/main.tf'), stack('ten'))
      git(dir, 'commit', '-qam', 'two')
    },
  ],
  ['an edit of a backend configuration file', (dir) => writeFileSync(join(dir, 'config/app.hcl'), 'key = "x"\n')],
  ['a file that is not in git yet', (dir) => writeTree(dir, { 'new/main.tf': stack('new') })],
  ['a version file', (dir) => writeTree(dir, { '.terraform-version': '1.5.0' })],
  [
    'a link that leads elsewhere',
    (dir) => {
      rmSync(join(dir, 'net/main.tf'))
      symlinkSync('../app/main.tf', join(dir, 'net/main.tf'))
    },
  ],
  ['a file removed', (dir) => rmSync(join(dir, 'net/main.tf'))],
  ['a directory renamed', (dir) => renameSync(join(dir, 'net'), join(dir, 'ten'))],
]

t.test('each change that the graph depends on is seen, and changes tree_hash', async (t) => {
  for (const [name, change] of changes) {
    await t.test(name, async (t) => {
      const { dir, scan } = checkout(t)
      const before = await scan()
      await scan()
      change(dir)
      const after = await scan()
      t.equal(after.cached, false)
      t.not(after.graph.tree_hash, before.graph.tree_hash)
      t.notSame(after.graph.stacks, before.graph.stacks)
      t.same((await scanDir(dir, config)).graph, after.graph, 'as a scan without a cache sees it')
    })
  }
})

t.test('another configuration is another answer', async (t) => {
  const { scan } = checkout(t)
  const before = await scan()
  const after = await scan('stacks: []')
  t.equal(after.cached, false)
  t.not(after.graph.tree_hash, before.graph.tree_hash)
  t.equal(keyOfApp(before), 'app')
  t.equal(keyOfApp(after), undefined)
})

t.test('a tree hashes the same with git, in a worktree, and without git', async (t) => {
  const { home, dir, scan } = checkout(t)
  const { graph } = await scan()
  const [plain, worktree, sha256] = [join(home, 'plain'), join(home, 'worktree'), join(home, 'sha256')]
  writeTree(plain, tree)
  t.same((await scanDir(plain, config)).graph, graph)
  git(dir, 'worktree', 'add', '-q', worktree)
  t.same((await scanDir(worktree, config)).graph, graph)
  writeTree(sha256, tree)
  git(sha256, 'init', '-q', '--object-format=sha256')
  git(sha256, 'add', 'net')
  const some = (await scanDir(sha256, config)).graph
  git(sha256, 'add', '-A')
  t.same((await scanDir(sha256, config)).graph, some, 'whatever git knows of it')
  t.same(some.stacks, graph.stacks)
  t.not(some.tree_hash, graph.tree_hash, 'ids of SHA-256 differ')
})

t.test(
  'what git ignores and what a sparse checkout leaves out is not scanned, and a link is where it leads',
  async (t) => {
    const { dir } = checkout(t, { ...tree, '.gitignore': 'made/\n', 'far/main.tf': stack('far') })
    writeTree(dir, { 'made/main.tf': stack('made') })
    symlinkSync('../net', join(dir, 'linked'))
    mkdirSync(join(dir, 'link-inside'))
    symlinkSync('../net/main.tf', join(dir, 'link-inside/main.tf'))
    git(dir, 'add', 'linked', 'link-inside')
    t.same(
      (await scanDir(dir, config)).graph.stacks.map(({ key }) => key),
      ['app', 'far', 'link-inside', 'net'],
    )
    git(dir, 'sparse-checkout', 'set', 'app', 'config', 'net')
    t.same(
      (await scanDir(dir, config)).graph.stacks.map(({ key }) => key),
      ['app', 'net'],
    )
  },
)

t.test('a cache that is damaged or cannot be written counts as none, and is not an error', async (t) => {
  const { cacheDir, scan } = checkout(t)
  const first = await scan()
  const files = readdirSync(cacheDir)
  t.equal(files.length, 2)
  for (const file of files) writeFileSync(join(cacheDir, file), '{"format": "svc scan')
  const again = await scan()
  t.equal(again.cached, false)
  t.same(again.graph, first.graph)
  rmSync(cacheDir, { recursive: true })
  writeFileSync(cacheDir, 'a file where the directory should be')
  chmodSync(cacheDir, 0o400)
  t.same((await scan()).graph, first.graph)
})

t.test('a new file that makes an instance is seen, whatever its name', async (t) => {
  const said = 'stacks: [{match: app, instances: {from: "env/*.json"}}]'
  const { dir, scan } = checkout(t, { 'app/main.tf': stack('app'), 'app/env/eu.json': '{}' })
  const keys = async () => (await scan(said)).graph.stacks.map(({ key }) => key)
  t.same(await keys(), ['app:eu'])
  const { graph: before } = await scan(said)
  writeFileSync(join(dir, 'app/env/us.json'), '{}')
  t.same(await keys(), ['app:eu', 'app:us'])
  t.not((await scan(said)).graph.tree_hash, before.tree_hash)
})

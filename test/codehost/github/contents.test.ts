import t from 'tap'
import { repo, scriptedGitHub } from './scripted-github.ts'

t.test('files are read raw, as text', async (t) => {
  const raw = 'version: 1 # grün\n'
  const github = await scriptedGitHub(t, {
    'GET /repos/octo/infra/contents/.github/svc.yml': ({ headers }) => ({
      text: raw,
      headers: {
        'content-type':
          headers.accept === 'application/vnd.github.raw+json'
            ? 'application/vnd.github.raw+json; charset=utf-8'
            : 'text/html',
      },
    }),
    'GET /repos/octo/infra/contents/bytes': () => ({
      text: raw,
      headers: { 'content-type': 'application/octet-stream' },
    }),
    'GET /repos/octo/infra/contents/dir': () => ({ json: [{ name: 'a' }] }),
    'GET /repos/octo/infra/git/ref/heads/feature/x': () => ({
      json: { ref: 'refs/heads/feature/x', object: { type: 'commit', sha: 'c1' } },
    }),
  })
  t.equal(await github.host.readFile(repo, '.github/svc.yml', 'b1'), raw)
  t.equal(github.seen[0]?.query.get('ref'), 'b1')
  t.equal(github.seen[0]?.headers.accept, 'application/vnd.github.raw+json')
  t.equal(await github.host.readFile(repo, 'bytes'), raw)
  t.equal(await github.host.readFile(repo, 'dir'), undefined, 'a directory is not a file')
  t.equal(await github.host.branchHead(repo, 'feature/x'), 'c1')
})

const treePath = 'GET /repos/octo/infra/git/trees/h1'
const folders = ['a', 'b', 'b/c', 'd', 'gone', '.', '']

t.test('whether many paths exist is one request, and a few more if the tree is cut off', async (t) => {
  let truncated = false
  const github = await scriptedGitHub(t, {
    [treePath]: () => ({ json: { sha: 't1', tree: ['a', 'a/x.tf', 'b', 'b/c'].map((path) => ({ path })), truncated } }),
    'GET /repos/octo/infra/contents/d': () => ({ json: [{ name: 'x.tf', type: 'file' }] }),
  })
  const ask = async (paths: string[]) => [...(await github.host.pathsThatExist(repo, 'h1', paths))].sort()
  t.same(await ask(folders), ['', '.', 'a', 'b', 'b/c'], 'a path that a whole tree does not name does not exist')
  t.equal(github.seen.length, 1)
  t.equal(github.seen[0]?.query.get('recursive'), '1')
  truncated = true
  t.same(await ask(folders), ['', '.', 'a', 'b', 'b/c', 'd'])
  t.same(
    github.seen.slice(2).map(({ path }) => path.slice(-4)),
    ['ts/d', 'gone'],
  )
  github.seen.length = 0
  t.same(await ask(['d', 'gone', 'gone', '.']), ['.', 'd'])
  t.notOk(
    github.seen.some(({ path }) => path.includes('/trees/')),
    'a whole tree is too much for a few paths',
  )
  t.equal(github.seen.length, 2)
})

t.test('a missing commit has no paths', async (t) => {
  const github = await scriptedGitHub(t, {})
  t.same([...(await github.host.pathsThatExist(repo, 'h1', folders.slice(0, 5)))], [])
})

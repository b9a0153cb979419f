import t from 'tap'
import { nameTree } from '#runner/validate/name-tree.ts'

t.test('a path is there with the directories above it, and a misspelt one is found', (t) => {
  const tree = nameTree(['apps/web/main.tf', 'apps/api/main.tf'])
  const cases: [path: string, isThere: boolean, near: string | undefined][] = [
    ['apps/web', true, undefined],
    ['apps/web/main.tf', true, undefined],
    ['.', true, undefined],
    ['apps/wbe', false, 'apps/web'],
    ['app/**/main.tf', false, 'apps/**/main.tf'],
    ['nothing/like/it', false, undefined],
  ]
  for (const [path, isThere, near] of cases) {
    t.equal(tree.has(path), isThere, path)
    t.equal(tree.nearest(path), near, `near ${path}`)
  }
  t.end()
})

t.test('a path that no checkout can have is left out', (t) => {
  const longest = `${'a/'.repeat(2047)}bb`
  t.ok(nameTree([longest]).has(longest), `${longest.length} characters`)
  t.notOk(nameTree([`${longest}c`]).has('a'))
  t.end()
})

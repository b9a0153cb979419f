import t from 'tap'
import { compileRefGlob } from '#domain/workflow-ref-glob.ts'

t.test('the required workflow', async (t) => {
  const refs = [
    'acme/infra/.github/workflows/svc-plan.yml@refs/heads/main',
    'acme/infra/.github/workflows/svc-run.yml@refs/heads/release/1.x',
    'acme/infra/.github/workflows/other.yml@refs/heads/main',
    'acme/web/.github/workflows/svc-plan.yml@refs/tags/v1',
    'evil/infra/.github/workflows/svc-plan.yml@refs/heads/main',
  ]
  const cases: [string, number[]][] = [
    [refs[0] as string, [0]],
    ['acme/infra/.github/workflows/svc-*.yml@refs/heads/*', [0, 1]],
    ['acme/*/.github/workflows/svc-plan.yml@*', [0, 3]],
    ['acme/infra/*@*', []],
    ['acme/**@refs/heads/*', [0, 1, 2]],
    ['**/svc-*.yml@refs/heads/*', [0, 1, 4]],
    ['acme/infra/.github/workflows/svc-????.yml@refs/heads/mai?', [0]],
    ['acme/infra/.github/workflows/[a-o]*.yml@refs/*', [2]],
    ['acme/infra/.github/workflows/[^a-o]*.yml@refs/heads/[!m]*', [1]],
    ['acme/infra/.github/workflows/svc\\-plan.yml@refs/heads/m*n', [0]],
    ['*@*', []],
  ]
  for (const [glob, expected] of cases) {
    const compiled = compileRefGlob(glob)
    t.ok(compiled.ok, JSON.stringify(compiled))
    if (compiled.ok)
      t.same(
        [...refs.keys()].filter((i) => compiled.matches(refs[i] as string)),
        expected,
        glob,
      )
  }
  const open = compileRefGlob('acme/infra/.github/workflows/a.yml@*')
  t.equal(open.ok && open.matches('acme/infra/.github/workflows/a.yml'), false, 'a token without a ref')
  const slow = compileRefGlob(`${'*a'.repeat(30)}b@x`)
  t.equal(slow.ok && slow.matches(`${'a'.repeat(5000)}@x`), false, 'no glob takes long')
  for (const bad of ['', '*', 'a@', '@a', 'a@b@c', 'a//b@c', 'a/[b@c', 'a/[z-a]@c', 'a@[', 'a@b\\', 'a b@c'])
    t.notOk(compileRefGlob(bad).ok, `malformed: ${bad}`)
})

import semver from 'semver'
import t from 'tap'
import { modulesOfGraph } from '#domain/graph/module-use.ts'
import { homeOf, moduleVersions, refPrecedence, splitPin } from '#domain/module-version.ts'
import { finish } from '#domain/steps.ts'

const versions = (path: string, ...tags: string[]) => moduleVersions(path, tags).map(({ tag }) => tag)
const latest = (path: string, ...tags: string[]) => moduleVersions(path, tags).find(({ counts }) => counts)?.tag

/** How many versions that count are newer than the ref; undefined if the ref is not a version. */
const behind = (path: string, ref: string, ...tags: string[]) => {
  const at = refPrecedence(path, ref)
  return at && moduleVersions(path, tags).filter(({ counts, precedence }) => counts && precedence > at).length
}

t.test('the latest version is by precedence, not by name or by order', async (t) => {
  const cases: [tags: string[], latest: string | undefined][] = [
    [['v1.0.0', 'v1.2.0', 'v1.10.0', 'v1.9.0'], 'v1.10.0'],
    [['v2.0.0', 'v1.9.9'], 'v2.0.0'],
    [['1.0.0', '1.0.1'], '1.0.1'],
    [['v1.0.0', 'v2.0.0-rc.1'], 'v1.0.0'],
    [['v1.0.0-alpha', 'v1.0.0-beta', 'v1.0.0-beta.2', 'v1.0.0-beta.11'], 'v1.0.0-beta.11'],
    [['v1.0.0-rc.1', 'v0.9.0'], 'v0.9.0'],
    [['v1.0.0+build.1', 'v0.9.0'], 'v1.0.0+build.1'],
    [['main', 'latest', 'v1', 'v1.2', 'release-3', 'v1.2.3.4', 'v01.2.3', 'vv1.2.3', 'V1.2.3'], undefined],
    [['v9007199254740991.0.0', 'v1.0.0'], 'v9007199254740991.0.0'],
    [['v9007199254740992.0.0', 'v1.0.0'], 'v1.0.0'],
    [[], undefined],
  ]
  for (const [tags, expected] of cases) t.equal(latest('', ...tags), expected, tags.join(' ') || 'no tag')
})

t.test('precedence as text is the precedence of Semantic Versioning', async (t) => {
  const identifiers = [
    '0',
    '1',
    '2',
    '10',
    '99999999999999999999',
    'a',
    'alpha',
    'alpha1',
    'alpha-',
    'A',
    'Z',
    'rc',
    '-',
    '0a',
    'x-y',
  ]
  const pre = identifiers.flatMap((one) =>
    ['', ...identifiers.slice(0, 7)].map((two) => (two ? `-${one}.${two}` : `-${one}`)),
  )
  const all = ['0.0.1', '0.0.9', '0.1.0', '1.0.0', '1.0.10', '1.2.0', '10.0.0'].flatMap((core) => [
    core,
    ...pre.map((end) => `${core}${end}`),
  ])
  const wrong: string[] = []
  for (const a of all.slice(0, 120)) {
    for (const b of all) {
      const [one = '', other = ''] = [refPrecedence('', a), refPrecedence('', b)]
      const order = one < other ? -1 : one > other ? 1 : 0
      if (order !== semver.compare(a, b)) wrong.push(`${a} ${b}: ${order}`)
    }
  }
  t.same(wrong, [])
})

t.test('each version knows how many that count are newer', async (t) => {
  const newer = (...tags: string[]) => moduleVersions('', tags).map(({ tag, newer }) => `${tag} ${newer}`)
  t.same(newer('v1.0.0', 'v2.0.0-rc.1', 'v1.1.0', 'v1.1.0-rc.1'), [
    'v2.0.0-rc.1 0',
    'v1.1.0 0',
    'v1.1.0-rc.1 1',
    'v1.0.0 1',
  ])
  t.same(newer('v1.0.0-rc.1', 'v1.0.0-rc.2'), ['v1.0.0-rc.2 0', 'v1.0.0-rc.1 1'])
})

t.test('tags of a module in a sub-directory', async (t) => {
  const path = 'modules/vpc'
  t.same(versions(path, 'v1.0.0', 'modules/vpc/v1.1.0', 'vpc-v1.2.0', 'modules/vpc/1.3.0', 'vpc-1.4.0'), [
    ...['vpc-1.4.0', 'modules/vpc/1.3.0', 'vpc-v1.2.0', 'modules/vpc/v1.1.0', 'v1.0.0'],
  ])
  t.same(versions(path, 'modules/dns/v1.0.0', 'dns-v1.0.0', 'other/modules/vpc/v1.0.0', 'modules/vpc-v1.0.0'), [])
  t.same(
    versions(path, 'v1.0.0', 'vpc-v1.0.0', 'modules/vpc/v1.0.0'),
    ['modules/vpc/v1.0.0'],
    'one of a version, the closest',
  )
  t.same(versions('', 'vpc-v1.0.0', 'modules/vpc/v1.0.0', 'v0.1.0'), ['v0.1.0'], 'of the root only plain ones')
  t.same(versions('', 'v1.0.0', '1.0.0'), ['1.0.0'], 'one version, spelled twice')
  t.same(versions('', 'v1.0.0+one', 'v1.0.0+two'), ['v1.0.0+one'], 'builds are one version')
})

t.test('behind counts the released versions that are newer', async (t) => {
  const tags = ['v1.0.0', 'v1.1.0', 'v1.2.0', 'v2.0.0-rc.1', 'v2.0.0-rc.2', 'modules/vpc/v1.3.0']
  const cases: [path: string, ref: string, behind: number | undefined][] = [
    ['', 'v1.0.0', 2],
    ['', '1.1.0', 1],
    ['', 'refs/tags/v1.1.0', 1],
    ['', 'v1.2.0', 0],
    ['', 'v1.0.5', 2],
    ['', 'v2.0.0-rc.1', 0],
    ['', 'v9.0.0', 0],
    ['modules/vpc', 'v1.2.0', 1],
    ['modules/vpc', 'modules/vpc/v1.3.0', 0],
    ['modules/vpc', 'vpc-v1.1.0', 2],
    ['', 'modules/vpc/v1.3.0', undefined],
    ['', 'main', undefined],
    ['', 'v1', undefined],
    ['', '~> 1.0', undefined],
    ['', '1.x', undefined],
    ['', '4f2c0e1', undefined],
    ['', '1234567890123456789012345678901234567890', undefined],
    ['', 'release/1.0.0', undefined],
  ]
  for (const [path, ref, expected] of cases) t.equal(behind(path, ref, ...tags), expected, `${path} ${ref}`)
  t.equal(
    behind('', 'v1.0.0-rc.1', 'v1.0.0-rc.1', 'v1.0.0-rc.3', 'v1.0.0-rc.2'),
    2,
    'pre-releases where none is stable',
  )
})

t.test('keys, pins and homes', async (t) => {
  t.same(splitPin('acme/mods//net@v1.2.0', 'git'), { family: 'acme/mods//net', ref: 'v1.2.0' })
  t.same(splitPin('acme/mods//net@feature/x@1', 'git'), { family: 'acme/mods//net', ref: 'feature/x@1' })
  t.same(splitPin('ns/name/aws@1.2.0', 'registry'), { family: 'ns/name/aws', ref: '1.2.0' })
  t.same(splitPin('acme/infra//mods/a@b', 'local'), { family: 'acme/infra//mods/a@b' })
  t.same(splitPin('acme/mods//net', 'git'), { family: 'acme/mods//net' })
  t.same(homeOf('acme/mods//net/dns'), { repo: 'acme/mods', path: 'net/dns' })
  t.same(homeOf('acme/mods//.'), { repo: 'acme/mods', path: '' })
  t.equal(homeOf('gitlab.example.com/team/mods//a'), undefined, 'another host')
  t.equal(homeOf('terraform-aws-modules/vpc/aws'), undefined, 'a registry')
})

t.test('stacks use modules by themselves and through others, each ref once', async (t) => {
  const use = (from: string, to: string, ref?: string) => {
    const [kind = '', key = ''] = from.split(' ')
    return { from: { kind, key }, to: { kind: 'module', key: to }, ref } as never
  }
  const { families, uses } = finish(
    modulesOfGraph(
      {
        stacks: [{ key: 'a' }, { key: 'b' }, { key: 'x/y//c', external: true }],
        modules: [
          { key: 'acme/infra//mods/app', kind: 'local', path: 'mods/app' },
          { key: 'acme/mods//net', kind: 'git', source: 'https://github.com/acme/mods' },
          { key: 'acme/mods//net@v1.0.0', kind: 'git' },
          { key: 'other/secret//x', kind: 'local' },
          { key: 'mods/plain', kind: 'local' },
          { key: 'ns/name/aws', kind: 'registry', source: 'ns/name/aws' },
        ],
        edges: [
          use('stack a', 'acme/infra//mods/app'),
          use('stack a', 'acme/mods//net', 'v1.1.0'),
          use('stack a', 'acme/mods//net', 'v1.1.0'),
          use('module acme/infra//mods/app', 'acme/mods//net', 'main'),
          use('module acme/mods//net', 'acme/infra//mods/app'),
          use('stack b', 'acme/mods//net@v1.0.0'),
          use('stack b', 'ns/name/aws', '~> 3.0'),
          use('stack x/y//c', 'ns/name/aws', '1.0.0'),
        ],
      },
      'Acme/infra',
    ),
  )
  t.same(
    uses
      .map(({ stack, family, ref, precedence }) => `${stack}: ${family} ${ref}${precedence ? '' : ' (no version)'}`)
      .sort(),
    [
      'a: acme/infra//mods/app  (no version)',
      'a: acme/mods//net main (no version)',
      'a: acme/mods//net v1.1.0',
      'b: acme/mods//net v1.0.0',
      'b: ns/name/aws ~> 3.0 (no version)',
    ],
  )
  t.same(
    families.map(({ key, kind, repo, path }) => [key, kind, repo, path]),
    [
      ['acme/infra//mods/app', 'local', 'acme/infra', 'mods/app'],
      ['acme/mods//net', 'git', 'acme/mods', 'net'],
      ['other/secret//x', 'git', 'other/secret', 'x'],
      ['Acme/infra//mods/plain', 'local', 'Acme/infra', 'mods/plain'],
      ['ns/name/aws', 'registry', undefined, ''],
    ],
  )
})

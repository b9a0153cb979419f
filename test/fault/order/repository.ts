import { random } from '#test/helpers/random.ts'

/** A made repository: its files, and the paths that a change touches; none stands for the order of all. */
export type MadeRepository = { files: Readonly<Record<string, string>>; changed: string[] }

type Pick = (below: number) => number

const oneOf = <T>(pick: Pick, all: readonly T[]): T => all[pick(all.length)] as T

const some = <T>(pick: Pick, most: number, make: () => T): T[] => Array.from({ length: pick(most + 1) }, make)

const names = ['dev', 'prod', 'blue', 'x.y', 'default']
const tags = ['network', 'data', 'critical']
const places = ['base', 'live/eu', 'live/us', 'live/eu/inner']
const parts = ['net', 'db', 'app', 'web']

/** What an entry may be for, and what it may name: keys, directories, globs, tags, and what is not there. */
const matches = ['**', 'live/**', 'base/*', '**/net', 'live/{eu,us}/*', '**/app', 'live/eu/inner/**']
const dependencies = [
  ...['base/net', 'base/db', 'live/eu/net', './live/us/db/', 'base/net:dev', 'acme/infra//base/app', 'not/there'],
  ...[
    'base/*',
    '**/net',
    '**/*:dev',
    'live/{eu,us}/db',
    'live/*/net',
    '**/net*',
    'acme/other//dns',
    'acme/infra//base/*',
  ],
  ...tags.map((tag) => `tag:${tag}`),
]

const instancesFor = (pick: Pick): Record<string, unknown> => {
  const explicit = Object.fromEntries(
    some(pick, 2, () => [oneOf(pick, ['dev', 'prod', 'blue']), pick(2) === 0 ? {} : { workspace: '{instance}' }]),
  )
  const from = oneOf(pick, ['env/*.tfvars', 'env/*.json', '../env/{name}-*.tfvars'])
  return pick(3) === 0 ? explicit : { from, ...(pick(3) === 0 ? explicit : {}) }
}

const maybe = <T>(pick: Pick, share: number, key: string, make: () => T): Record<string, T> =>
  pick(share) === 0 ? { [key]: make() } : {}

const entryOf = (pick: Pick): Record<string, unknown> => ({
  match: oneOf(pick, matches),
  ...maybe(pick, 2, 'tags', () => some(pick, 2, () => oneOf(pick, tags))),
  ...maybe(pick, 2, 'depends_on', () => some(pick, 3, () => oneOf(pick, dependencies))),
  ...maybe(pick, 4, 'instances', () => instancesFor(pick)),
  ...maybe(pick, 4, 'workspace', () => oneOf(pick, ['{dir}-{name}', '{path}', '{name}-{instance}'])),
  ...maybe(pick, 4, 'var_files', () => ['../common.tfvars', 'env/{instance}.tfvars']),
  ...maybe(pick, 4, 'watch_paths', () => [oneOf(pick, ['shared/{dir}/**', 'shared/{name}.json', 'shared/{eu,us}/*'])]),
  ...maybe(pick, 8, 'environment', () => '{instance}'),
})

const directoryFiles = (pick: Pick, path: string): [path: string, text: string][] => [
  [`${path}/main.tf`, 'terraform {\n  backend "local" {}\n}\n'],
  ...some(
    pick,
    3,
    () => [`${path}/env/${oneOf(pick, names)}.${oneOf(pick, ['tfvars', 'json'])}`, '{}\n'] as [string, string],
  ),
  ...some(
    pick,
    1,
    () => [`${path}/../env/${path.split('/').at(-1)}-${oneOf(pick, names)}.tfvars`, ''] as [string, string],
  ),
]

const normal = (path: string): string => path.replace(/[^/]+\/\.\.\//, '')

/** A repository with instances, templates, tags and globs in `depends_on`, the same each time for a seed. */
export const makeRepository = (seed: number): MadeRepository => {
  const pick = random(seed)
  const directories = [
    ...new Set(Array.from({ length: 5 + pick(10) }, () => `${oneOf(pick, places)}/${oneOf(pick, parts)}`)),
  ]
  const config = { version: 1, stacks: Array.from({ length: 2 + pick(6) }, () => entryOf(pick)) }
  const files = Object.fromEntries(
    directories.flatMap((path) => directoryFiles(pick, path)).map(([path, text]) => [normal(path), text]),
  )
  const candidates = [
    ...Object.keys(files),
    'shared/eu/a',
    'shared/net.json',
    'live/common.tfvars',
    `${directories[0]}/env/gone.tfvars`,
  ]
  return {
    files: { ...files, 'svc.yml': JSON.stringify(config) },
    changed: pick(3) === 0 ? [] : some(pick, 3, () => oneOf(pick, candidates)),
  }
}

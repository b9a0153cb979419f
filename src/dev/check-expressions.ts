import { globSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Expression, findExpressions } from './expressions/find-expressions.ts'
import { type Slow, slowExpression } from './expressions/slow-expression.ts'

/*
 * Part of `npm run check`: no regular expression of the service and its client takes more than linear time. Others' texts are
 * searched with them, and 100 KB of line breaks once held an instance for 12 s. All of them take 20 s; so what was found safe
 * is remembered. Emulator and demo are left out: they read what they or their tests write.
 */

const root = join(import.meta.dirname, '../..')
const memory = join(root, 'node_modules/.cache/svc-expressions.json')

const remembered = async (): Promise<Set<string>> => {
  try {
    return new Set<string>(JSON.parse(await readFile(memory, 'utf8')))
  } catch {
    return new Set()
  }
}

const keyOf = ({ source, flags }: Expression): string => `/${source}/${flags}`

const files = globSync('{src,machines}/**/*.ts', { cwd: root, exclude: ['src/emulator/**', 'src/dev/demo/**'] }).sort()
const safe = await remembered()
const used = new Set<string>()
const slow: string[] = []
for (const file of files) {
  for (const expression of findExpressions(await readFile(join(root, file), 'utf8'))) {
    const key = keyOf(expression)
    const found: Slow | undefined = safe.has(key) ? undefined : slowExpression(expression)
    if (found === undefined) {
      safe.add(key)
      used.add(key)
    } else slow.push(`${file}:${expression.line}: ${key} is ${found.complexity}: ${found.attack}`)
  }
}
await mkdir(dirname(memory), { recursive: true })
await writeFile(memory, JSON.stringify([...used]))
for (const each of slow) console.error(each)
console.log(`${used.size} regular expressions take linear time, ${slow.length} do not`)
if (slow.length > 0) process.exitCode = 1

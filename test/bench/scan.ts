import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from '@cdktf/hcl2json'
import { parseHcl } from '#runner/hcl/parse-hcl.ts'
import type { Bench } from './harness/measure.ts'
import { writeScanTree } from './scan-tree.ts'

/*
 * Scanning 2,000 stacks (8,100 files, committed to git): the first scan, the second of the unchanged tree, and one without a
 * cache. Each scan is its own process, as the client is, and reports how long the scan itself took: in one process the first
 * scans would run on code that earlier ones had warmed. The other group reads files of such a tree with our reader and with
 * the only published one that works under Node 24.
 */

const STACKS = 2000

let home = ''
let text = ''

const scan = (...args: string[]): number =>
  Number(
    execFileSync(process.execPath, [
      '--expose-gc',
      join(import.meta.dirname, 'scan-once.ts'),
      join(home, 'tree'),
      ...args,
    ]),
  )

const cache = (): string => join(home, 'cache')

const make = (stacks: number): void => {
  home = mkdtempSync(join(tmpdir(), 'svc-bench-scan-'))
  writeScanTree(join(home, 'tree'), stacks)
  text = readFileSync(join(home, 'tree/live/team-0/service-0/main.tf'), 'utf8')
}

const drop = (): void => rmSync(home, { recursive: true, force: true })

const timed = async (work: () => unknown): Promise<number> => {
  const start = performance.now()
  await work()
  return performance.now() - start
}

export default {
  name: 'scan',
  unit: 'ms',
  about: 'Finding the stacks of a repository in CI.',
  groups: {
    '2,000 stacks': {
      ours: 'second scan',
      setup: () => make(STACKS),
      contenders: {
        'first scan': () => {
          rmSync(cache(), { recursive: true, force: true })
          return scan(cache())
        },
        'second scan': () => {
          scan(cache())
          return scan(cache())
        },
        'without cache': () => scan(),
      },
      teardown: drop,
    },
    '100 files': {
      ours: 'svc',
      setup: () => make(1),
      contenders: {
        svc: () => timed(() => Array.from({ length: 100 }, () => parseHcl(text))),
        '@cdktf/hcl2json': () =>
          timed(async () => {
            for (let i = 0; i < 100; i++) await parse('main.tf', text)
          }),
      },
      teardown: drop,
    },
  },
} satisfies Bench

import { spawnSync } from 'node:child_process'
import { availableParallelism, totalmem } from 'node:os'
import { join } from 'node:path'
import { keepReport } from './performance.ts'
import type { Report } from './report.ts'

const program = join(import.meta.dirname, '../bench.ts')

const machineOf = (): string => {
  const gigabytes = Math.round(totalmem() / 2 ** 30)
  const node = process.versions.node.split('.')[0]
  return `${availableParallelism()} cores and ${gigabytes} GB, Node ${node}, ${new Date().toISOString().slice(0, 10)}`
}

/**
 * Runs benches one after another, each in a process of its own, keeps their reports in test/bench/results.json, and writes
 * docs/performance.md from all that are kept. Returns the names of those that failed.
 */
export const runAll = (names: readonly string[], runs: number): string[] =>
  names.filter((name) => {
    const { status, stdout } = spawnSync(process.execPath, [program, name, '--json', '--runs', String(runs)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    if (status !== 0) return true
    const report = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as Report
    keepReport(report, machineOf())
    console.log(JSON.stringify(report))
    return false
  })

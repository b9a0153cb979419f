import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { configFileName, parseRepoConfig } from '#domain/config/config-file.ts'
import { HclError } from '#runner/hcl/hcl-error.ts'
import { parseHcl } from '#runner/hcl/parse-hcl.ts'
import { scanRepository } from '#runner/scan/scan-repository.ts'
import { openTree } from '#runner/scan/tree/tree.ts'
import { formatMs, refusedByTool } from './tool-verdicts.ts'

export type ScanReport = {
  dir: string
  tool: string
  files: number
  stacks: number
  warnings: number
  /** Files that only we refuse, with where and why, and files that only the tool refuses. */
  stricter: string[]
  looser: string[]
  refusedByBoth: number
  scanMs: number
  formatMs: number
}

const configOf = (dir: string) => {
  const path = join(dir, configFileName)
  const parsed = parseRepoConfig(existsSync(path) ? readFileSync(path, 'utf8') : 'version: 1\n')
  if (!parsed.ok) throw new Error(parsed.problems.map(({ key, message }) => `${key}: ${message}`).join('\n'))
  return parsed.config
}

/** Why we refuse a file; undefined if we do not. */
const fault = (text: string): string | undefined => {
  try {
    parseHcl(text)
    return undefined
  } catch (error) {
    if (error instanceof HclError) return error.message
    throw error
  }
}

/** Scans a checkout, and compares what it can read with what the tool's own parser can. */
export const playScan = async (dir: string, tool: string): Promise<ScanReport> => {
  const config = configOf(dir)
  const begun = performance.now()
  const { graph, warnings } = await scanRepository({ dir, repo: 'some/repository', sha: '0'.repeat(40), config })
  const scanMs = Math.round(performance.now() - begun)
  const tree = await (await openTree(dir)).tree()
  const texts = [...tree.paths()].flatMap((path): [string, string][] => {
    const text = /\.(?:tf|tfvars)$/.test(path) ? tree.text(path) : undefined
    return text === undefined ? [] : [[path, text]]
  })
  const theirs = await refusedByTool(
    tool,
    dir,
    texts.map(([path]) => path),
  )
  const report: ScanReport = {
    ...{ dir, tool, files: texts.length, stacks: graph.stacks.length, warnings: warnings.length },
    ...{ stricter: [], looser: [], refusedByBoth: 0, scanMs, formatMs: await formatMs(tool, dir) },
  }
  for (const [path, text] of texts) {
    const ours = fault(text)
    if (ours !== undefined && theirs.has(path)) report.refusedByBoth += 1
    else if (ours !== undefined) report.stricter.push(`${path}:${ours}`)
    else if (theirs.has(path)) report.looser.push(path)
  }
  return report
}

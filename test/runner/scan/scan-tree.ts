import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseRepoConfig, type RepoConfig } from '#domain/config/config-file.ts'
import { Graph } from '#domain/graph/graph.ts'
import { type ScanOptions, scanRepository } from '#runner/scan/scan-repository.ts'

export type Tree = Readonly<Record<string, string>>

type Testing = { testdir: () => string }

export const writeTree = (dir: string, tree: Tree): void => {
  for (const [path, text] of Object.entries(tree)) {
    mkdirSync(join(dir, dirname(path)), { recursive: true })
    writeFileSync(join(dir, path), text)
  }
}

export const configOf = (text: string): RepoConfig => {
  const parsed = parseRepoConfig(`version: 1\n${text}`)
  if (!parsed.ok) throw new Error(parsed.problems.map(({ key, message }) => `${key}: ${message}`).join('\n'))
  return parsed.config
}

const sha = 'a'.repeat(40)

export const scanDir = async (dir: string, config = '', options: Partial<ScanOptions> = {}) => {
  const scan = await scanRepository({ dir, repo: 'acme/infra', sha, config: configOf(config), ...options })
  Graph.parse(scan.graph)
  return scan
}

/** Writes a tree and scans it. Returns the result in few words: keys, edges as `from type to`, codes of warnings. */
export const scanTree = async (t: Testing, tree: Tree, config = '') => {
  const dir = t.testdir()
  writeTree(dir, tree)
  const { graph, warnings } = await scanDir(dir, config)
  const stack = (key: string) => graph.stacks.find((one) => one.key === key)
  return {
    dir,
    graph,
    warnings,
    stack,
    keys: graph.stacks.map(({ key }) => key),
    modules: graph.modules.map(({ key }) => key),
    edges: graph.edges.map(
      ({ from, to, type, meta }) => `${from.key} ${type} ${to.key}${meta?.ref ? `@${meta.ref}` : ''}`,
    ),
    codes: warnings.map(({ code }) => code),
  }
}

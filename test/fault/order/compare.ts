import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Writable } from 'node:stream'
import { lacksGraph, resolveUpload } from '#commands/resolving/resolve-upload.ts'
import { parseRepoConfig, type RepoConfig } from '#domain/config/config-file.ts'
import type { Graph } from '#domain/graph/graph.ts'
import type { Resolution } from '#domain/resolution/resolve.ts'
import { readEnvironment } from '#runner/environment.ts'
import { main } from '#runner/main.ts'
import { type MadeRepository, makeRepository } from './repository.ts'

/*
 * `svc order` in a directory, and the service, asked with the graph that `svc scan` prints there: by the graph as it is, and by one
 * without what depends_on made, as if the configuration alone knew it.
 */

type Answer = Pick<Resolution, 'affected' | 'waves' | 'cycles' | 'external'>

/** What the client prints as JSON. */
const asked = async (dir: string, args: readonly string[]): Promise<unknown> => {
  const chunks: Buffer[] = []
  const stdout = new Writable({
    write: (chunk, _, done) => {
      chunks.push(chunk)
      done()
    },
  })
  const stderr = new Writable({ write: (_chunk, _, done) => done() })
  const environment = readEnvironment({
    PATH: process.env.PATH,
    GITHUB_REPOSITORY: 'acme/infra',
    HOME: dir,
    XDG_CACHE_HOME: join(dir, '.cache'),
  })
  await main([...args, '--json', '--no-cache'], environment, dir, { stdout, stderr })
  return JSON.parse(Buffer.concat(chunks).toString())
}

const answerOf = ({ affected, waves, cycles = [], external = [] }: Partial<Answer>): string =>
  JSON.stringify({ affected, waves, cycles, external })

/** Of several cycles the shortest are told, those found first: edges in another order have others of the same length. */
const anyCycle = (answer: string): string => answer.replace(/"cycles":\["[^\]]*\]/, '"cycles":[…]')

/** Edges to stacks of other repositories have no other source, nor have those of Terragrunt's files. */
const withoutDependencies = (graph: Graph): Graph => {
  const external = new Set(graph.stacks.filter((stack) => stack.external).map(({ key }) => key))
  return {
    ...graph,
    stacks: graph.stacks.map(({ config: _, ...stack }) => stack),
    edges: graph.edges.filter(({ type, to, inferred }) => type !== 'depends_on' || inferred || external.has(to.key)),
  }
}

const ofService = (graph: Graph, config: RepoConfig, changed: readonly string[]): string => {
  const all = graph.stacks.filter(({ external }) => !external).map(({ key }) => key)
  const body = { graph, config, changed_paths: changed, ...(changed.length === 0 ? { stacks: all } : {}) }
  const known = { repos: [graph.repo], sha: graph.sha, defaultConfig: config, defaultGraph: undefined }
  const resolved = resolveUpload(Buffer.from(JSON.stringify(body)), { ...known, hostPaths: [], gonePaths: [] })
  if (resolved === lacksGraph) return lacksGraph
  return resolved.ok ? answerOf(resolved.resolution) : `${resolved.field}: ${resolved.reason}`
}

export type Compared = {
  stacks: number
  waves: number
  cycles: number
  /** Where the two disagree, in words. */
  differing: string[]
}

const compareIn = async (dir: string, { files, links, changed }: MadeRepository): Promise<Compared> => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(dir, dirname(path)), { recursive: true })
    writeFileSync(join(dir, path), text)
  }
  for (const [path, target] of Object.entries(links)) {
    mkdirSync(join(dir, dirname(path)), { recursive: true })
    symlinkSync(target, join(dir, path))
  }
  const parsed = parseRepoConfig(files['svc.yml'] ?? '')
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  const order = (await asked(dir, ['order', ...changed.map((path) => `--changed=${path}`)])) as Answer
  const { warnings: _, ...graph } = (await asked(dir, ['scan', dir, `--sha=${'a'.repeat(40)}`])) as Graph & {
    warnings: unknown
  }
  const own = answerOf(order)
  const differing = [
    ['the graph as it is', ofService(graph, parsed.config, changed)],
    ['the configuration alone', ofService(withoutDependencies(graph), parsed.config, changed)],
  ].flatMap(([what = '', theirs = '']) => {
    const isEqual = what === 'the graph as it is' ? theirs === own : anyCycle(theirs) === anyCycle(own)
    return isEqual ? [] : [`${what}: ${theirs} is not ${own}`]
  })
  const { waves, cycles = [] } = order
  return { stacks: waves.flat().length, waves: waves.length, cycles: cycles.length, differing }
}

/** Compares the client and the service in the repository of a seed, in a directory that is empty before and after. */
export const compareOrders = async (dir: string, seed: number): Promise<Compared> => {
  mkdirSync(dir, { recursive: true })
  try {
    return await compareIn(dir, makeRepository(seed))
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

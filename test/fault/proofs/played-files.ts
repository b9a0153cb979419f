import { dirname, join } from 'node:path'
import { files } from '#test/helpers/source-files.ts'

/** What every proof plays: the product, and the server that the proofs share. A page of docs may change without any being played again. */
const byAll = ['src', 'machines', 'migrations', 'deploy', 'Dockerfile', 'package-lock.json', 'test/fixtures']
const shared = ['test/fault/proofs/server.ts']

/** The service has nothing of the client: the table of rooms keeps them apart (test/architecture/imports.test.ts). */
const client = 'src/runner/'
const withoutClient = `:(exclude,glob)${client}**/*.ts`

/** These copy the project, and play its tests. */
const playTests = ['neighbours', 'planted']

const byPath = new Map(files.map((file) => [file.path, file]))

/** The imports of a file, and programs beside it that it names to start them: `'crashing-service.ts'`. */
const ledTo = (path: string): string[] => {
  const file = byPath.get(path)
  if (!file) return []
  const named = [...file.text.matchAll(/'(?:\.\/)?([\w.-]+\.ts)'/g)].map(([, name]) => join(dirname(path), name ?? ''))
  return [...file.imports.map(({ to }) => to), ...named].filter((to) => byPath.has(to))
}

const reachedFrom = (paths: readonly string[]): string[] => {
  const reached = new Set(paths)
  // a set is walked with what is added to it meanwhile
  for (const path of reached) for (const to of ledTo(path)) reached.add(to)
  return [...reached].sort()
}

/**
 * The files and folders that a proof plays, as git takes them. Of the tests, and of the client, only what the proof's own file leads to: a
 * change of the walks says nothing of what a crash leaves behind, and all of them take five hours.
 */
export const playedBy = (proof: string): string[] => {
  if (playTests.includes(proof)) return [...byAll, 'test']
  const reached = reachedFrom([...shared, `test/fault/proofs/${proof}.ts`])
  const playsClient = reached.some((path) => path.startsWith(client))
  return [...byAll, ...(playsClient ? [] : [withoutClient]), ...reached.filter((path) => path.startsWith('test/'))]
}

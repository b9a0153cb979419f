import type { Repository } from '#db/repositories/repositories.ts'
import { configFileName, type RepoConfig } from '#domain/config/config-file.ts'
import { limits } from '#domain/limits.ts'
import { Problem } from '#errors.ts'
import { type Recorded, type ResolvedRecorded, resolveRecorded, type Wanted } from './resolve-recorded.ts'
import {
  lacksGraph,
  type ResolveUpload,
  resolveUpload,
  type Upload,
  type UploadAnswer,
  type UploadFacts,
} from './resolve-upload.ts'
import { createResolvingThreads } from './resolving-threads.ts'
import { createWaitingLine } from './waiting-line.ts'

/** Does all the work of an upload: at once, or of a large one when no other large one is under way. */
export type UploadInTurn = <T>(upload: Upload, work: () => Promise<T>) => Promise<T>

/** The stacks of a recorded graph; see resolveRecorded. What takes too long cannot be ordered either. */
export type ResolveRecorded = (
  repository: Pick<Repository, 'id' | 'installation_id'>,
  recorded: Recorded,
  wanted: Wanted,
) => Promise<ResolvedRecorded>

export type Resolver = {
  resolve: ResolveUpload
  inTurn: UploadInTurn
  resolveRecorded: ResolveRecorded
  stop(): Promise<unknown>
}

/**
 * The most that is resolved inline. A pull request's configuration matches what globs it likes against as many paths: the
 * time grows with the product of the two, 5 ns a pair of characters. All of 4 KB spent on it hold up other requests for 28 ms,
 * of 8 KB for 97 ms; 256 KB took 45 minutes, and in a thread a graph of that size is resolved in some 3 ms.
 */
const inlineBytes = 4 * 1024

type Bounds = { quickMs: number; ms: number; megabytes: number; waiting: number }

/** 8 MB take less than 96 MB, whether they are 25,000 stacks or 45,000 edges; and 150 ms, but for globs that take long. */
const most: Bounds = {
  quickMs: 400,
  ms: limits.resolveSeconds * 1000,
  megabytes: limits.resolveMegabytes,
  waiting: 256,
}

/**
 * Resolves uploads and recorded graphs: small ones inline, others in a separate thread, so results of other jobs do not wait for them.
 * It takes one at a time, which holds its memory; organisations take turns, and one takes at most `ms`.
 */
export const createResolver = (atMost: Partial<Bounds> = {}): Resolver => {
  const bounds = { ...most, ...atMost }
  const large = createWaitingLine(bounds.waiting)
  const threads = createResolvingThreads(bounds)
  const attempt = async (upload: Upload, facts: () => Promise<UploadFacts>): Promise<UploadAnswer> => {
    const { bytes } = upload
    if (bytes.length < inlineBytes) {
      const known = await facts()
      if (sizeOf(bytes, known) < inlineBytes) return resolveUpload(bytes, known)
    }
    const asking = { ...upload, bytes: bytes.length }
    return threads.inThread(asking, async (thread) => thread.resolve(bytes, await facts()))
  }
  return {
    inTurn: ({ bytes, owner, signal }, work) =>
      bytes.length < limits.largeGraphBytes ? work() : large.turn(owner, signal, work),
    resolve: async (upload, known, readDefaultGraph) => {
      const having = (what: 'outline' | 'graph') => async () => ({
        ...known,
        defaultGraph: await readDefaultGraph(what),
      })
      if (known.gonePaths === undefined && !changesConfig(known)) {
        const resolved = await attempt(upload, having('outline'))
        if (resolved !== lacksGraph) return resolved
      }
      const resolved = await attempt(upload, having('graph'))
      if (resolved === lacksGraph) throw new Error('a graph that is an outline')
      return resolved
    },
    resolveRecorded: async ({ id: repoId, installation_id: installationId }, recorded, wanted) => {
      if (recorded.graph.length + globChars(recorded.config) < inlineBytes) return resolveRecorded(recorded, wanted)
      const asking = {
        owner: { installationId, repoId },
        bytes: recorded.graph.length,
        signal: new AbortController().signal,
      }
      try {
        return await threads.inThread(asking, (thread) => thread.resolveRecorded(recorded, wanted))
      } catch (error) {
        if (error instanceof Problem && error.code === 'invalid') return { ok: false, reason: error.message }
        throw error
      }
    },
    stop: threads.stop,
  }
}

/** Then the outline of the default branch's graph would mostly be asked for in vain: an upload of 8 MB is looked at for half a second. */
const changesConfig = ({ hostPaths = [] }: Pick<UploadFacts, 'hostPaths'>): boolean =>
  hostPaths.includes(configFileName)

/** Of all that is matched against each other. */
const sizeOf = (bytes: Uint8Array, { defaultGraph, defaultConfig, hostPaths = [] }: UploadFacts): number =>
  hostPaths.reduce(
    (chars, path) => chars + path.length,
    bytes.length + (defaultGraph?.text.length ?? 0) + globChars(defaultConfig),
  )

/** The default branch's globs were reviewed by its people, not by the others whose requests would wait. */
const globChars = ({ ignore, discover, stacks }: RepoConfig): number =>
  JSON.stringify([ignore, discover, stacks]).length

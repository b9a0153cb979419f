import { parentPort } from 'node:worker_threads'
import { resolveUpload, type UploadFacts } from './resolve-upload.ts'
import type { ThreadAnswer } from './resolving-thread.ts'

const answerOf = (bytes: Uint8Array, facts: UploadFacts): ThreadAnswer => {
  try {
    return { resolved: resolveUpload(bytes, facts) }
  } catch (error) {
    return { error }
  }
}

/** The thread that resolves large uploads: it says that it is loaded, then has an answer to each message. */
parentPort?.on('message', ({ bytes, facts }: { bytes: Uint8Array; facts: UploadFacts }) => {
  parentPort?.postMessage(answerOf(bytes, facts))
})
parentPort?.postMessage('ready' satisfies ThreadAnswer)

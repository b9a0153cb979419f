import { parentPort } from 'node:worker_threads'
import { resolveUpload, type UploadFacts } from './resolve-upload.ts'
import type { ThreadAnswer } from './resolver.ts'

const answerOf = (text: string, facts: UploadFacts): ThreadAnswer => {
  try {
    return { resolved: resolveUpload(text, facts) }
  } catch (error) {
    return { error }
  }
}

/** The thread that resolves large uploads: a message in, a message out. */
parentPort?.on('message', ({ text, facts }: { text: string; facts: UploadFacts }) => {
  parentPort?.postMessage(answerOf(text, facts))
})

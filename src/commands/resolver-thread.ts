import { parentPort } from 'node:worker_threads'
import { resolveUpload, type UploadFacts } from './resolve-upload.ts'

/** The thread in which large uploads are resolved: a message in, a message out. One that fails, fails alone. */
parentPort?.on('message', ({ id, text, facts }: { id: number; text: string; facts: UploadFacts }) => {
  try {
    parentPort?.postMessage({ id, resolved: resolveUpload(text, facts) })
  } catch (error) {
    parentPort?.postMessage({ id, error })
  }
})

import { parentPort } from 'node:worker_threads'
import { resolveUpload, type UploadFacts } from './resolve-upload.ts'

/** The thread in which large uploads are resolved: a message in, a message out. */
parentPort?.on('message', ({ id, text, facts }: { id: number; text: string; facts: UploadFacts }) => {
  parentPort?.postMessage({ id, resolved: resolveUpload(text, facts) })
})

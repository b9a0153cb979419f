import { setPriority } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { parentPort, workerData } from 'node:worker_threads'
import { limits } from '#domain/limits.ts'
import { packUpload } from './packed-upload.ts'
import { resolveUpload, type UploadFacts } from './resolve-upload.ts'
import type { ThreadAnswer, ThreadData, ThreadQuestion } from './resolving-thread.ts'

const { priority, shared }: ThreadData = workerData

const say = (answer: ThreadAnswer, moved: ArrayBuffer[] = []): void => parentPort?.postMessage(answer, moved)

const answer = (bytes: Uint8Array, facts: UploadFacts): void => {
  try {
    const { message, moved } = packUpload(resolveUpload(bytes, facts))
    say({ resolved: message }, moved)
  } catch (error) {
    say({ error })
  }
}

// Linux has a priority for each thread, others one for the whole process
if (process.platform === 'linux' && priority > 0) setPriority(priority)

/** A collection takes some 15 ms. */
setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

/** The thread that resolves large uploads: it says that it is loaded, then has an answer to each message. */
parentPort?.on('message', ({ length, facts }: ThreadQuestion) => {
  answer(shared.subarray(0, length), facts)
  // what is left of 8 MB is 75 MB, which an idle thread would keep while this one is recorded and the next one is read
  if (length >= limits.largeGraphBytes) collect()
})
say('ready')

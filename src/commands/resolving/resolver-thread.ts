import { setPriority } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { parentPort, workerData } from 'node:worker_threads'
import { limits } from '#domain/limits.ts'
import { packRecorded } from './packed-recorded.ts'
import { packUpload } from './packed-upload.ts'
import { resolveRecorded } from './resolve-recorded.ts'
import { resolveUpload } from './resolve-upload.ts'
import type { Packed, ThreadAnswer, ThreadData, ThreadQuestion } from './resolving-thread.ts'

const { priority, shared }: ThreadData = workerData

const say = (answer: ThreadAnswer, moved: ArrayBuffer[] = []): void => parentPort?.postMessage(answer, moved)

const resolved = (question: ThreadQuestion): { message: Packed; moved: ArrayBuffer[] } =>
  'recorded' in question
    ? packRecorded(resolveRecorded(question.recorded, question.wanted))
    : packUpload(resolveUpload(shared.subarray(0, question.length), question.facts))

const answer = (question: ThreadQuestion): void => {
  try {
    const { message, moved } = resolved(question)
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

const sizeOf = (question: ThreadQuestion): number =>
  'recorded' in question ? question.recorded.graph.length : question.length

/** The thread that resolves what is large: it says that it is loaded, then has an answer to each message. */
parentPort?.on('message', (question: ThreadQuestion) => {
  answer(question)
  // what is left of 8 MB is 75 MB, which an idle thread would keep while this one is recorded and the next one is read
  if (sizeOf(question) >= limits.largeGraphBytes) collect()
})
say('ready')

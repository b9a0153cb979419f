import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

/** Bytes of buffers that this process holds, without those that nobody refers to any more. */
export const heldBytes = (): number => {
  collect()
  return process.memoryUsage().arrayBuffers
}

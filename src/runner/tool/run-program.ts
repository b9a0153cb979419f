import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Problem } from '#errors.ts'
import type { Stop } from '../job/stop.ts'
import type { Relay } from '../output/output.ts'

export type Program = {
  command: string
  args: readonly string[]
  cwd: string
  env: Readonly<Record<string, string>>
  stop: Stop
  /** Passes on the output as it comes. */
  relay?: Partial<Relay> | undefined
  /** How many bytes of each output are kept: the last ones. All when left out. */
  kept?: number
}

export type Ended = { code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string }

/** The last bytes of a stream, in order. */
const createTail = (most: number) => {
  const chunks: Buffer[] = []
  let size = 0
  return {
    add: (chunk: Buffer): void => {
      chunks.push(chunk)
      size += chunk.length
      while (chunks[0] !== undefined && size - chunks[0].length >= most) size -= chunks.shift()?.length ?? 0
    },
    text: (): string => Buffer.concat(chunks).toString('utf8'),
  }
}

/** A process that the program left behind may hold the output open. It is waited for this long. */
const OUTPUT_GRACE_MS = 2000

const notStarted = (command: string, error: unknown): Problem => {
  const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
  return new Problem(
    'invalid',
    isMissing
      ? `${command} is not on the PATH: install it in a step before this one`
      : `starting ${command}: ${error instanceof Error ? error.message : error}`,
  )
}

/**
 * Runs a program in its own process group, so a signal reaches it through us and not twice. Its exit status is returned as it is;
 * a Problem is thrown only if it could not be started.
 */
export const runProgram = async ({ command, args, cwd, env, stop, relay, kept }: Program): Promise<Ended> => {
  const child = spawn(command, [...args], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const [stdout, stderr] = [createTail(kept ?? Number.POSITIVE_INFINITY), createTail(kept ?? Number.POSITIVE_INFINITY)]
  child.stdout.on('data', (chunk: Buffer) => {
    stdout.add(chunk)
    relay?.stdout?.(chunk)
  })
  child.stderr.on('data', (chunk: Buffer) => {
    stderr.add(chunk)
    relay?.stderr?.(chunk)
  })
  const closed = once(child, 'close').catch(() => undefined)
  if (child.pid === undefined) {
    const [error] = await once(child, 'error').catch((reason) => [reason])
    throw notStarted(command, error)
  }
  const forget = stop.passTo(child.pid)
  await once(child, 'exit')
  const { exitCode: code, signalCode: signal } = child
  forget()
  const timer = setTimeout(() => {
    child.stdout.destroy()
    child.stderr.destroy()
  }, OUTPUT_GRACE_MS)
  await closed
  clearTimeout(timer)
  return { code, signal, stdout: stdout.text(), stderr: stderr.text() }
}

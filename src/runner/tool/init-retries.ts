import type { Ended } from './run-program.ts'

/**
 * What programs say when the network or a registry failed, and not the stack: Go's HTTP client, the tool's registry client, and git for
 * modules. A provider that does not exist is said in other words, and is no reason to try again.
 */
const passing =
  /\b(?:i\/o timeout|TLS handshake timeout|context deadline exceeded|Client\.Timeout exceeded|connection (?:reset by peer|refused|timed out)|no such host|network is unreachable|unexpected EOF|early EOF|Temporary failure in name resolution|Could not resolve host|requested URL returned error: (?:429|5\d\d)|RPC failed|429 Too Many Requests|502 Bad Gateway|503 Service Unavailable|504 Gateway Time-?out)\b/i

/** Whether trying the same again may well succeed. */
export const isPassing = ({ code, stdout, stderr }: Ended): boolean =>
  code !== 0 && passing.test(`${stderr}\n${stdout}`)

/** Seconds before each further attempt. */
const waits = [5, 15, 45, 90, 180]

/** How an attempt is made, waited for and told of. */
export type Trying = {
  run(): Promise<Ended>
  /** How many further attempts there may be. */
  retries: number
  /** Whether there is still a point in waiting: not after a signal. */
  goesOn(): boolean
  pause(ms: number): Promise<void>
  tell(message: string): void
}

/** Runs `init` until it ends otherwise than by an error of the network or a registry. Returns how the last attempt ended. */
export const initTrying = async ({ run, retries, goesOn, pause, tell }: Trying): Promise<Ended> => {
  let ended = await run()
  for (const seconds of waits.slice(0, retries)) {
    if (!isPassing(ended) || !goesOn()) return ended
    tell(`init failed for the network or a registry: it is tried again in ${seconds} seconds`)
    await pause(seconds * 1000)
    if (!goesOn()) return ended
    ended = await run()
  }
  return ended
}

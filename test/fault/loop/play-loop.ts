import { platform, setPriority } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import type { Deed } from './deed.ts'
import type { Loop } from './open-loop.ts'
import { startOtherCaller } from './other-caller.ts'
import type { Turns } from './turns.ts'

/** In ms: how the loop turned, and what the other caller waited for meanwhile. */
export type Look = { deed: string; p99: number; longest: number; other: number; requests: number }

export type LoopReport = { alone: Look; looks: Look[]; slowest: Look[]; otherP99: number; broken: string[] }

/** In ms: of turns (turns.ts), and what the other caller may wait longer, if that is judged: it hangs on all that the machine does. */
export type Bounds = { p99: number; longest: number; other: number | undefined }

export type PlayOptions = {
  deeds: readonly Deed[]
  /** How long the other caller is alone, and how long each deed is repeated. */
  ms: { alone: number; deed: number }
  bounds: Bounds
  tell(line: string): void
}

/** Does each deed again and again while another caller works, and looks at the loop and at that caller's times. */
export const playLoop = async (loop: Loop, { deeds, ms, bounds, tell }: PlayOptions): Promise<LoopReport> => {
  const { process, world, asked } = loop
  const other = startOtherCaller(process.address, asked)
  // this thread is the hostile callers and the code host, which are elsewhere: where times are judged, the processor time that they take is not
  // the service's. Beside other tests it would hardly get any. Only Linux has priorities of threads
  if (bounds.other !== undefined && platform() === 'linux') setPriority(19)
  const times: number[] = []
  const refused: string[] = []
  const failed: string[] = []
  const look = async (deed: string, work: () => Promise<unknown>): Promise<Look & { times: number[] }> => {
    await process.told('turns')
    await other.heard()
    await work()
    await world.settled()
    const turns = (await process.told('turns')) as Turns
    const heard = await other.heard()
    refused.push(...heard.refused)
    const figures = { p99: rounded(turns.p99), longest: rounded(turns.longest), other: rounded(p99(heard.times)) }
    return { deed, ...figures, requests: heard.times.length, times: heard.times }
  }
  const { times: ownTimes, ...alone } = await look('alone', () => wait(ms.alone))
  const looks: Look[] = []
  for (const deed of deeds) {
    const { times: some, ...one } = await look(deed.name, () =>
      repeated(deed, ms.deed).catch((error: Error) => failed.push(`${deed.name}: ${error.message}`)),
    )
    times.push(...some)
    looks.push(one)
    tell(told(one))
  }
  await other.stop()
  const otherP99 = rounded(p99(times))
  const broken = [
    ...failed,
    ...looks.filter((one) => one.p99 > bounds.p99).map((one) => `turns are long: ${told(one)}`),
    ...looks.filter((one) => one.longest > bounds.longest).map((one) => `one turn is long: ${told(one)}`),
    ...refused.slice(0, 10).map((one) => `the other caller was refused: ${one}`),
  ]
  if (bounds.other !== undefined && otherP99 > fairFrom(p99(ownTimes), bounds.other))
    broken.push(`the other caller's p99 is ${otherP99} ms, alone ${alone.other} ms`)
  const slowest = looks.toSorted((a, b) => b.longest - a.longest).slice(0, 5)
  return { alone, looks, slowest, otherP99, broken }
}

/** Three times as long; or by as much as one turn of the loop may take, which the few ms of an idle machine say nothing of. */
const fairFrom = (alone: number, turn: number): number => Math.max(alone * 3, alone + turn)

const repeated = async (deed: Deed, ms: number): Promise<void> => {
  const begun = performance.now()
  do await deed.do()
  while (performance.now() - begun < ms)
}

const told = ({ deed, p99, longest, other }: Look): string =>
  `${deed}: turns p99 ${p99} ms, longest ${longest} ms, the other's p99 ${other} ms`

const rounded = (ms: number): number => Math.round(ms * 10) / 10

const p99 = (times: readonly number[]): number => {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0
}

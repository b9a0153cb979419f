import { isBroken, isDone, isUnderWay } from '#domain/run-status.ts'
import type { Paint } from '../output/output.ts'

/** How statuses of runs and stacks are coloured: what went well, what went badly, what moves, and what never came to it. */
export const paintOfStatus = (status: string | undefined): Paint | undefined => {
  if (status === undefined || status === 'pending') return undefined
  if (isUnderWay(status)) return 'cyan'
  if (isBroken(status)) return 'red'
  return isDone(status) ? 'green' : 'yellow'
}

const steps: readonly (readonly [seconds: number, unit: string])[] = [
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'min'],
]

/** `42 s`, `5 min`, `3 h`, `12 d`: enough to tell a fresh thing from an old one. */
export const lengthOf = (ms: number): string => {
  const seconds = Math.max(0, Math.round(ms / 1000))
  const step = steps.find(([size]) => seconds >= size)
  return step === undefined ? `${seconds} s` : `${Math.floor(seconds / step[0])} ${step[1]}`
}

/** How long ago a time was; '' for none. */
export const ago = (time: string | undefined, now: number): string =>
  time === undefined ? '' : `${lengthOf(now - Date.parse(time))} ago`

/** Ids begin with their time: twelve digits say the millisecond, and the first eight are the same for more than a minute. */
const SHORT_CHARS = 13

/** The beginning of an id that tells it from others, and that `svc run` and its kin take. */
export const shortId = (id: string): string => id.slice(0, SHORT_CHARS)

/** The beginning of an id on a terminal; the whole of it for other programs. */
export const idFor =
  (isTerminal: boolean) =>
  (id = ''): string =>
    isTerminal ? shortId(id) : id

export const pullCell = (number: number | undefined): string => (number === undefined ? '' : `#${number}`)

import { processorTime } from '#test/helpers/processor-time.ts'
import { type Form, hostileText, toldForm, units } from './hostile-texts.ts'

/** A pure function of others' text. What it returns or refuses does not matter here. */
export type Reader = (text: string) => unknown

export type Readers = Readonly<Record<string, Reader>>

/** A reader whose time grows faster than its text. */
export type Slow = { reader: string; text: string; milliseconds: { chars: number; taken: number }[] }

/** `chars`: of the longest text; `enough`: times below it say nothing about growth. */
export type Extent = { chars: number; forms: readonly Form[]; enough: number }

/** Some kernels count processor time in ticks, of so many milliseconds. */
const tick = 10

/**
 * In milliseconds, of processor time: on a full machine what is longer than a turn of the scheduler is interrupted each time, and 5 ms were 38
 * by the clock in the best of many rounds. Less than a tick is taken by the clock.
 */
const timeOf = (read: Reader, text: string): number => {
  const [started, used] = [performance.now(), processorTime()]
  try {
    read(text)
  } catch (error) {
    // a refusal is an answer; but what follows each level by a call dies of a text that has many
    if (error instanceof RangeError) throw error
  }
  return Math.min(performance.now() - started, Math.max(processorTime() - used, tick))
}

/** Four times the text may take four times as long, and some more: what is quadratic takes sixteen times as long. */
const step = 4
const mostPerStep = 9

/**
 * What is worth more rounds after one of each. A single time may be twice what it is on a machine that does much else: what is quadratic then
 * grows by eight, and a planted one was missed in CI where one look asked for nine.
 */
const mostAtFirst = 5

type Timed = Slow['milliseconds']

/** Rounds that are taken in any case; and how long more are, in milliseconds, while the text still looks slow. */
const fewRounds = 3
const patience = 3000

/**
 * The best of some of each, in turn: a first call is slow, the collector comes in between, and others use the machine. Nine rounds
 * were too few beside a full one: 3.7 ms were 29.8 in the best of them.
 */
const again = (read: Reader, small: string, large: string, isSlow: (best: Timed) => boolean): Timed => {
  const best = [small, large].map((text) => ({ chars: text.length, taken: Number.POSITIVE_INFINITY }))
  const begun = performance.now()
  for (let round = 0; round < fewRounds || (isSlow(best) && performance.now() - begun < patience); round += 1)
    for (const each of best)
      each.taken = Math.min(each.taken, timeOf(read, each.chars === small.length ? small : large))
  return best
}

const growsFast = ([small, large]: Timed, { enough }: Extent, most = mostPerStep): boolean =>
  small !== undefined && large !== undefined && large.taken >= Math.max(enough, small.taken * most)

/** Slow enough to need no second look, in milliseconds. */
const surely = 500

/**
 * Whether it grows as fast from there on. What is quadratic does; a reader whose code is not compiled yet for the small text, or is
 * measured on a machine that does much else, does not: one that takes 1 µs a character took 2 ms for 4 KB, 21 for 16, and 88 for 64.
 */
const goesOn = (read: Reader, large: string, larger: string, extent: Extent): boolean => {
  const isSlow = (times: Timed): boolean => growsFast(times, extent, 6)
  return timeOf(read, large) >= surely || isSlow(again(read, large, larger, isSlow))
}

/** Three lengths, each four times the one before: what grows fast between two is measured again, and stops there. */
const measured = (read: Reader, make: (chars: number) => string, extent: Extent): Timed => {
  let before: Timed[number] | undefined
  for (const chars of [extent.chars / step ** 2, extent.chars / step, extent.chars]) {
    const now = { chars, taken: timeOf(read, make(chars)) }
    if (before !== undefined && growsFast([before, now], extent, mostAtFirst)) {
      const [small, large] = [make(before.chars), make(chars)]
      const sure = again(read, small, large, (times) => growsFast(times, extent))
      if (growsFast(sure, extent) && goesOn(read, large, make(chars * step), extent)) return sure
    }
    before = now
  }
  return []
}

/** Every reader with every unit and form, at growing lengths. Stops at the first text that a reader is slow for. */
export const slowReaders = (readers: Readers, extent: Extent): Slow[] =>
  Object.entries(readers).flatMap(([reader, read]): Slow[] => {
    for (const unit of units) {
      for (const form of extent.forms) {
        if (form.units?.includes(unit) === false) continue
        const text = toldForm(unit, form)
        try {
          const milliseconds = measured(read, (chars) => hostileText(unit, form, chars), extent)
          if (milliseconds.length > 0) return [{ reader, text, milliseconds }]
        } catch (error) {
          return [{ reader, text: `${text}: ${error}`, milliseconds: [] }]
        }
      }
    }
    return []
  })

export const toldSlow = ({ reader, text, milliseconds }: Slow): string => {
  const times = milliseconds.map(({ chars, taken }) => `${Math.round(chars / 1024)} KB ${taken.toFixed(1)} ms`)
  return `${reader}: ${text}${times.length > 0 ? `: ${times.join(', ')}` : ''}`
}

import type { StandingFault } from '#emulator/faults/faults.ts'
import type { AgeingWorld } from '../ageing-world.ts'
import type { Mishap, Phase } from './mishap.ts'

/** The trouble in a story, as its time passes. */
export type Weather = {
  /** Another part of the story begins, and with it the mishaps of that part. */
  enter(phase: Phase): void
  /** So many minutes have passed, and some of the mishaps with them. */
  passed(minutes: number): void
  /** Whether the code host can be reached: if not, its runners are down too. */
  isDown(): boolean
  /** Ends all of them; returns the names of those that never struck. */
  clear(): string[]
}

type Standing = { mishap: Mishap; faults: StandingFault[]; minutesLeft: number; isOver: boolean }

/**
 * Milliseconds that the service waits for an answer that does not come; otherwise a request on a busy machine may take
 * seconds.
 */
const patience = 400

export const stormyWeather = (world: AgeingWorld, mishaps: readonly Mishap[]): Weather => {
  const standing: Standing[] = []
  const end = (one: Standing): void => {
    for (const fault of one.faults) fault.remove()
    one.isOver = true
  }
  const isHanging = ({ faults = [] }: Mishap): boolean =>
    faults.some((fault) => fault.kind === 'request' && String(fault.effect).startsWith('hang'))
  return {
    enter: (phase) => {
      for (const mishap of mishaps.filter(({ from }) => from === phase)) {
        const faults = (mishap.faults ?? []).map((fault) => world.github.faults.add(fault))
        standing.push({ mishap, faults, minutesLeft: mishap.lastsMinutes ?? Number.POSITIVE_INFINITY, isOver: false })
      }
      world.patience(standing.some(({ mishap }) => isHanging(mishap)) ? patience : undefined)
    },
    passed: (minutes) => {
      for (const one of standing) {
        one.minutesLeft -= minutes
        if (one.minutesLeft <= 0 && !one.isOver) end(one)
      }
    },
    isDown: () => standing.some(({ mishap, isOver }) => !isOver && mishap.faults?.some(({ kind }) => kind === 'down')),
    clear: () => {
      for (const one of standing) end(one)
      world.patience(undefined)
      const still = standing.filter(({ faults }) => faults.some((fault) => fault.struck() === 0))
      return still.map(({ mishap }) => mishap.name)
    },
  }
}

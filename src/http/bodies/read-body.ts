import type { Readable } from 'node:stream'
import { Problem } from '#errors.ts'
import { bodyTooLarge } from '../problem.ts'
import type { ByteBudget, Holding, Owner } from './byte-budget.ts'

export type Reading = {
  /** Content-Length, if the client says it. */
  announced: string | undefined
  /** The most bytes of one body. */
  most: number
  /** How long a body may take to arrive. */
  ms: number
  budget: ByteBudget
  /** Bodies of one owner share what they hold of the budget. */
  owner: Owner
}

/** A piece of a body takes more memory than its bytes, however small it is: they may come one by one. */
const perPiece = 256

/** The code host gives up after 10 s, and so does nearly everything that sends; the queue of those who wait is short. */
const retryAfter = 5

/** A piece is 64 KB at most: 3 MB a second of one that is sent on, so that an 8 MB graph is refused within its `retryAfter`. */
const pieceMs = 20
/** Who sends nothing for so long waits for the answer. */
const idleMs = 250
/** The code host gives a delivery of 25 MB up after 10 s. */
const slowMs = 3000

/**
 * Reads the rest of a body for nothing, and slowly: who sends one after another without a pause is read at the pace of a line, where
 * eight at once had 440 MB a second read. Resolves at its end, since a client may look for its answer only then; or once it
 * pauses, or after three seconds.
 */
const throwAway = (source: Readable): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(idle)
      clearTimeout(enough)
      source.off('data', slowly)
      source.resume()
      resolve()
    }
    const slowly = (): void => {
      source.pause()
      idle.refresh()
      setTimeout(() => source.resume(), pieceMs).unref()
    }
    const idle = setTimeout(done, idleMs)
    const enough = setTimeout(done, slowMs)
    source.on('data', slowly).once('end', done).once('error', done).once('close', done)
    source.resume()
  })

/**
 * Reads a body within a budget of bytes that all such requests share. Its holding goes on until the caller ends it; `onGiveWay`
 * is called if it has to go between. Rejects with a Problem: 413, 400 if it comes too slowly, 503 if the budget is used up.
 */
export const readBody = (
  source: Readable,
  { announced, most, ms, budget, owner }: Reading,
  onGiveWay: (problem: Problem) => void = () => {},
): Promise<{ body: Buffer; holding: Holding }> =>
  new Promise((resolve, reject) => {
    const expected = Number(announced) || 0
    if (expected > most) throw bodyTooLarge(most)
    const pieces: Buffer[] = []
    let length = 0
    const holding = budget.open(owner, () => {
      const problem = new Problem('unavailable', 'too many large bodies at the same time: try again', { retryAfter })
      stop()
      pieces.length = 0
      onGiveWay(problem)
      void throwAway(source).then(() => reject(problem))
    })
    const late = setTimeout(() => fail(new Problem('invalid', 'the body took too long to arrive')), ms)
    const stop = (): void => {
      clearTimeout(late)
      source.off('data', take).off('end', finish).off('error', leave).off('close', leave)
    }
    const fail = (problem: Problem): void => {
      stop()
      holding.end()
      pieces.length = 0
      // what still comes is read and thrown away
      source.resume()
      reject(problem)
    }
    const take = (piece: Buffer): void => {
      const known = Math.max(length, expected)
      length += piece.length
      if (length > most) fail(bodyTooLarge(most))
      else {
        pieces.push(piece)
        holding.take(Math.max(length - known, 0) + perPiece)
      }
    }
    const finish = (): void => {
      stop()
      resolve({ body: Buffer.concat(pieces, length), holding })
    }
    const leave = (): void => fail(new Problem('invalid', 'the body did not come to its end'))
    source.on('data', take).on('end', finish).on('error', leave).on('close', leave)
    // all of it at once: to read what there will be no room for takes as long as to read it for nothing
    holding.take(expected)
  })

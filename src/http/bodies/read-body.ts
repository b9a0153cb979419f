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
    if (Number(announced) > most) throw bodyTooLarge(most)
    const pieces: Buffer[] = []
    let length = 0
    const holding = budget.open(owner, () => {
      const problem = new Problem('unavailable', 'too many large bodies at the same time: try again', { retryAfter })
      fail(problem)
      onGiveWay(problem)
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
      length += piece.length
      if (length > most) fail(bodyTooLarge(most))
      else {
        pieces.push(piece)
        holding.take(piece.length + perPiece)
      }
    }
    const finish = (): void => {
      stop()
      resolve({ body: Buffer.concat(pieces, length), holding })
    }
    const leave = (): void => fail(new Problem('invalid', 'the body did not come to its end'))
    source.on('data', take).on('end', finish).on('error', leave).on('close', leave)
  })

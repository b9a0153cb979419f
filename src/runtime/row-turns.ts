/** Whose transaction it is, and the row that it locks first. */
export type RowPlace = {
  /** Owners take turns: the installation of a repository, or an API key. */
  owner: number | string
  /** Transactions of one row would wait for each other: a run, a pull request, a stack lock. */
  row: string
  /** Whose rows it is about, if that is known. */
  installationId?: number | undefined
  /** How long a row that others hold is tried for; `patienceMs` if left out. */
  patienceMs?: number
}

/** Who locks a run of a pull request locks that first. */
export const rowOfPullRequest = (repoId: number, number: number): string => `pull request ${repoId} ${number}`

export type RowTurns = {
  /** Does the work when it is its turn, again if its row was held. Rejects as the work does. */
  turn<T>(place: RowPlace, work: () => Promise<T>): Promise<T>
}

export type RowTurnsLimits = {
  /** Transactions at the same time. */
  transactions: number
  /** Of one owner. */
  ofOwner: number
  /** On rows that somebody else held when they were last tried. */
  stuck: number
}

type RowTurnsOptions = {
  /** Whether an error means that a row was held by another transaction. */
  isHeld: (error: unknown) => boolean
  limits?: RowTurnsLimits
}

/** As long as the pool lets a statement wait for a row. The client of a job asks again after some seconds, and three times. */
const patienceMs = 5000

type Waiting = RowPlace & {
  until: number
  work(): Promise<unknown>
  resolve(answer: unknown): void
  reject(error: unknown): void
}

type Now = { running: ReadonlySet<Waiting>; stuck: ReadonlyMap<string, unknown>; limits: RowTurnsLimits }

/** Besides those that run. */
const mayBegin = ({ running, stuck, limits }: Now): ((one: Waiting) => boolean) => {
  const rows = new Set([...running].map(({ row }) => row))
  const ofOwners = Map.groupBy(running, ({ owner }) => owner)
  const isFull = [...rows].filter((row) => stuck.has(row)).length >= limits.stuck
  return ({ owner, row }) =>
    !rows.has(row) && (ofOwners.get(owner)?.length ?? 0) < limits.ofOwner && !(isFull && stuck.has(row))
}

/**
 * Transactions of requests that begin with the lock of a row, which somebody may hold for long: a person in psql, a backup.
 * What waits for such a row waits here and not in a transaction, whose connection others need: each attempt is brief
 * (`waitBriefly`), those of one row come one after another, and all rows that are held share `stuck` attempts at a time.
 */
export const createRowTurns = ({ isHeld, limits = usual }: RowTurnsOptions): RowTurns => {
  let waiting: Waiting[] = []
  const running = new Set<Waiting>()
  /** Rows that were held, with what the database said. */
  const stuck = new Map<string, unknown>()
  /** When each owner last had a turn, as a number that grows. */
  const served = new Map<Waiting['owner'], number>()
  let turns = 0

  /** Of those that may begin, the first of the owner whose last turn is longest ago. */
  const next = (): Waiting | undefined => {
    if (running.size >= limits.transactions) return undefined
    const since = ({ owner }: Waiting): number => served.get(owner) ?? 0
    return waiting
      .filter(mayBegin({ running, stuck, limits }))
      .reduce<Waiting | undefined>((a, b) => (a && since(a) <= since(b) ? a : b), undefined)
  }

  /** What waits for its row goes behind the others, in the order in which they came; those who have waited too long are refused. */
  const putBack = (held: Waiting, error: unknown): void => {
    stuck.set(held.row, error)
    const [own, others] = [[held], [] as Waiting[]]
    for (const one of waiting) (one.row === held.row ? own : others).push(one)
    waiting = [...others, ...own]
  }

  const refuseOld = (): void => {
    const now = performance.now()
    waiting = waiting.filter(({ row, until, reject }) => {
      const isOld = stuck.has(row) && until <= now
      if (isOld) reject(stuck.get(row))
      return !isOld
    })
  }

  const begin = async (one: Waiting): Promise<void> => {
    const { owner, row, work, resolve, reject } = one
    waiting.splice(waiting.indexOf(one), 1)
    turns += 1
    served.set(owner, turns)
    running.add(one)
    try {
      resolve(await work())
      stuck.delete(row)
    } catch (error) {
      if (!isHeld(error)) {
        stuck.delete(row)
        reject(error)
      } else putBack(one, error)
    }
    running.delete(one)
    if (stuck.size > 0) refuseOld()
    if (!waiting.some((other) => other.row === row)) stuck.delete(row)
    if (waiting.length === 0 && running.size === 0) served.clear()
    beginNext()
  }

  const beginNext = (): void => {
    for (let one = next(); one; one = next()) void begin(one)
  }

  return {
    turn: <T>(place: RowPlace, work: () => Promise<T>) =>
      new Promise<T>((resolve, reject) => {
        const until = performance.now() + (place.patienceMs ?? patienceMs)
        waiting.push({ ...place, until, work, resolve: (answer) => resolve(answer as T), reject })
        beginNext()
      }),
  }
}

/** Of the pool's ten connections; the mailbox has two of the others, and four aside. */
const usual: RowTurnsLimits = { transactions: 6, ofOwner: 4, stuck: 1 }

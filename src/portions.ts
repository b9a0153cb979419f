/** Resolves to nothing, after a turn of the event loop if the work has gone on for so long that others should have one. */
export type Breath = () => Promise<void> | undefined

/**
 * A request of others asks the database some eight times, and may wait for so much work each time: with 10 ms the 99th percentile of
 * another caller was 202 ms beside uploads of 20,000 stacks, with 3 ms it is 139. A turn itself costs some 0.01 ms.
 */
const workMs = 3

/**
 * Others' turn. The first callback may still belong to the turn in which an answer came: only the second comes after what others sent
 * meanwhile.
 */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))

/** For a long computation: called between its steps, it lets other requests be served every now and then. */
export const createBreath = (): Breath => {
  let since = performance.now()
  return () => {
    if (performance.now() - since < workMs) return undefined
    return turn().then(() => {
      since = performance.now()
    })
  }
}

/** All of some work, with turns of the event loop between its steps. */
export const inSteps = async <T>(steps: Iterator<unknown, T>): Promise<T> => {
  const breath = createBreath()
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    await breath()
  }
}

/** Rows of one statement: checking or writing so many takes some 5 ms. */
export const portionRows = 1000

/** The rows in portions, in order; nothing for no rows. */
export function* portionsOf<T>(rows: readonly T[]): Generator<T[]> {
  for (let from = 0; from < rows.length; from += portionRows) yield rows.slice(from, from + portionRows)
}

/** So much of what others wrote is in memory at once. */
export const portionBytes = 4 * 1024 * 1024

/** The same for rows of known sizes, with so many bytes at most; one that is larger is a portion by itself. */
export function* portionsOfBytes<T extends { bytes: number }>(
  rows: readonly T[],
  most = { rows: portionRows, bytes: portionBytes },
): Generator<T[]> {
  let portion: T[] = []
  let left = most.bytes
  for (const row of rows) {
    if (portion.length === most.rows || (portion.length > 0 && row.bytes > left)) {
      yield portion
      portion = []
      left = most.bytes
    }
    portion.push(row)
    left -= row.bytes
  }
  if (portion.length > 0) yield portion
}

/** Comes before every other. */
export const lowestId = '00000000-0000-0000-0000-000000000000'

/** Rows of stacks in portions, in the order of the stacks' ids; `read` reads the next ones after an id. At least one portion. */
export async function* portionsByStack<T extends { stack_id: string }>(
  read: (after: string) => Promise<readonly T[]>,
): AsyncGenerator<readonly T[]> {
  for (let after = lowestId; ; ) {
    const rows = await read(after)
    yield rows
    const last = rows.at(-1)
    if (!last || rows.length < portionRows) return
    after = last.stack_id
  }
}

/** The JSON of a long list, or of an object with such lists, as JSON.stringify would write it, made in portions. */
export const jsonInPortions = (value: object): Promise<string> =>
  Array.isArray(value) ? listJson(value, createBreath()) : objectJson(value, createBreath())

const objectJson = async (value: object, breath: Breath): Promise<string> => {
  const fields: string[] = []
  for (const [name, field] of Object.entries(value)) {
    const text = await fieldJson(field, breath)
    if (text !== undefined) fields.push(`${JSON.stringify(name)}:${text}`)
  }
  return `{${fields.join(',')}}`
}

const fieldJson = (field: unknown, breath: Breath): string | undefined | Promise<string> => {
  if (Array.isArray(field)) return listJson(field, breath)
  const isPlain = typeof field === 'object' && field !== null && Object.getPrototypeOf(field) === Object.prototype
  return isPlain ? objectJson(field, breath) : JSON.stringify(field)
}

const listJson = async (list: readonly unknown[], breath: Breath): Promise<string> => {
  const parts: string[] = []
  for (const portion of portionsOf(list)) {
    await breath()
    parts.push(JSON.stringify(portion).slice(1, -1))
  }
  return `[${parts.join(',')}]`
}

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

/** Some work took more time than it may. */
export class TooSlow extends Error {}

/** Of this thread, in ms: on a busy machine the same work waits for the processor, and is no worse for that. */
const processorMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/**
 * All of some work, with turns of the event loop between its steps. Rejects with TooSlow if it takes more than `mostMs` of processor time
 * itself, the turns of others not counted.
 */
export const inSteps = async <T>(steps: Iterator<unknown, T>, mostMs = Number.POSITIVE_INFINITY): Promise<T> => {
  const breath = createBreath()
  let [since, spent] = [processorMs(), 0]
  const count = (): void => {
    spent += processorMs() - since
    if (spent > mostMs) throw new TooSlow()
  }
  for (;;) {
    const { done, value } = steps.next()
    const others = done ? undefined : breath()
    if (!done && others === undefined) continue
    count()
    if (done) return value
    await others
    since = processorMs()
  }
}

/** Rows of one statement: checking or writing so many takes some 5 ms. */
export const portionRows = 1000

/** The rows in portions, in order; nothing for no rows. */
export function* portionsOf<T>(rows: readonly T[], most = portionRows): Generator<T[]> {
  for (let from = 0; from < rows.length; from += most) yield rows.slice(from, from + most)
}

/** What the portions of a list come to, in one list, with turns of the event loop between them. */
export const inPortions = async <T, To>(list: readonly T[], toOthers: (portion: T[]) => To[]): Promise<To[]> => {
  const breath = createBreath()
  const all: To[] = []
  for (const portion of portionsOf(list)) {
    all.push(...toOthers(portion))
    await breath()
  }
  return all
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

/**
 * Rows of a text of its own. With 128 a text stays below 128 KB, which is memory that was used before; a longer one is new to the process each
 * time, which costs some 7 ms a MB on a virtual machine: 8 MB took 130 ms as one text, and 50 so.
 */
const rowsOfText = 128

/** The JSON text of a long list, or of an object with such lists, as JSON.stringify would write it, in portions. */
function* jsonParts(value: object): Generator<string> {
  if (Array.isArray(value)) yield* listParts(value)
  else yield* objectParts(value)
}

/** The same text as UTF-8. */
export const jsonBytes = (value: object): Uint8Array<ArrayBuffer> => joined(Array.from(jsonParts(value), asBytes))

/** The same with turns of the event loop between the portions. */
export const jsonInPortions = async (value: object): Promise<Uint8Array> => {
  const parts: Buffer[] = []
  const breath = createBreath()
  for (const part of jsonParts(value)) {
    parts.push(asBytes(part))
    await breath()
  }
  const whole = joined(parts)
  // 7 MB take some 20 ms: more memory is new to the process than is copied
  await breath()
  return whole
}

const asBytes = (text: string): Buffer => Buffer.from(text)

/** Not from the pool that small buffers share: this one may be moved to another thread. */
const joined = (parts: readonly Buffer[]): Uint8Array<ArrayBuffer> => {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

function* objectParts(value: object): Generator<string> {
  let before = '{'
  for (const [name, field] of Object.entries(value)) {
    const parts = fieldParts(field)
    if (parts === undefined) continue
    yield `${before}${JSON.stringify(name)}:`
    yield* parts
    before = ','
  }
  yield before === '{' ? '{}' : '}'
}

const fieldParts = (field: unknown): Iterable<string> | undefined => {
  if (Array.isArray(field)) return listParts(field)
  if (typeof field === 'object' && field !== null && Object.getPrototypeOf(field) === Object.prototype)
    return objectParts(field)
  const text: string | undefined = JSON.stringify(field)
  return text === undefined ? undefined : [text]
}

function* listParts(list: readonly unknown[]): Generator<string> {
  let before = '['
  for (const portion of portionsOf(list, rowsOfText)) {
    yield before + JSON.stringify(portion).slice(1, -1)
    before = ','
  }
  yield before === '[' ? '[]' : ']'
}

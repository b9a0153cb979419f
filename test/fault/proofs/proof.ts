export type Ground = {
  /** Of an empty database. */
  databaseUrl: string
  /** Where its Postgres is, which is of this program alone. */
  postgresDir: string
  /** An empty folder. */
  dataDir: string
  /** Says what is to be stopped besides, whatever ends the program. */
  later(stop: () => Promise<unknown>): void
}

/** Something that takes too long for a test. */
export type Proof = {
  /** After `npm run proof -- `. */
  usage: string
  /** Names of its options; each takes a value. */
  options: readonly string[]
  /** Names of those that take none. */
  flags?: readonly string[]
  /** Tells what it does and finds; false where it found something wrong. */
  prove(
    ground: Ground,
    options: Readonly<Record<string, string | undefined>>,
    flags: ReadonlySet<string>,
  ): Promise<boolean>
}

export const wholeNumber = (text: string | undefined, otherwise: number): number => {
  if (text === undefined) return otherwise
  if (!/^[1-9]\d*$/.test(text)) throw new Error(`'${text}' must be a whole number from 1`)
  return Number(text)
}

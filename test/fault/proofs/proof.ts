export type Ground = {
  /** Address of an empty database. */
  databaseUrl: string
  /** Where its Postgres is, which belongs to this program alone. */
  postgresDir: string
  /** An empty folder. */
  dataDir: string
  /** Adds something to stop, however the program ends. */
  later(stop: () => Promise<unknown>): void
}

/** Something that takes too long for a test. */
export type Proof = {
  /** The words after `npm run proof -- `. */
  usage: string
  /** It ends as broken after so many, three times what it takes: what hangs is found out, and `all` goes on. */
  minutes: number
  /** Names of its options; each takes a value. */
  options: readonly string[]
  /** Names of the options without a value. */
  flags?: readonly string[]
  /** The name of what may follow the proof's, as it is among its options. */
  takes?: string
  /** Prints what it does and finds; false if it found something wrong. */
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

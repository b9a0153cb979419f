/** An empty database and an empty folder. */
export type Ground = { databaseUrl: string; dataDir: string }

/** Something that takes too long for a test. */
export type Proof = {
  /** After `npm run proof -- `. */
  usage: string
  /** Names of its options; each takes a value. */
  options: readonly string[]
  /** Tells what it does and finds; false where it found something wrong. */
  prove(ground: Ground, options: Readonly<Record<string, string | undefined>>): Promise<boolean>
}

export const wholeNumber = (text: string | undefined, otherwise: number): number => {
  if (text === undefined) return otherwise
  if (!/^[1-9]\d*$/.test(text)) throw new Error(`'${text}' must be a whole number from 1`)
  return Number(text)
}

/** What a command says, and whether it did what was asked. */
export type Answer = {
  /** For the standard output, as it is. */
  out: string
  /** A sentence for people, on the other output. */
  note?: string
  /** Of the process. */
  status: 0 | 1
}

/** What failed, for a program: where JSON is wanted it is JSON in any case, as the client's is. */
export const failureText = (message: string): string => `${JSON.stringify({ error: { message } }, undefined, 2)}\n`

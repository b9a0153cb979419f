/** What a command answers, and whether it did what was asked. */
export type Answer = {
  /** For the standard output, as it is. */
  out: string
  /** A sentence for people, on standard error. */
  note?: string
  /** The exit status of the process. */
  status: 0 | 1
}

/** A failure for a program: if JSON is asked for, the output is always JSON, as the client's is. */
export const failureText = (message: string): string => `${JSON.stringify({ error: { message } }, undefined, 2)}\n`

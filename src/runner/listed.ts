import type { Command } from './command.ts'

/** A command as the list of commands has it. The rest of it is loaded when it is called for. */
export type Listed = {
  name: string
  /** One line, for the list. */
  says: string
  /** Its flags and its body, with all that it imports: loading every one of them took 0.1 s of each start. */
  load(): Promise<Command>
}

/** A command with all that there is to say about it. */
export type Described = Listed & Command

export const described = (listed: readonly Listed[]): Promise<Described[]> =>
  Promise.all(listed.map(async (one) => ({ ...(await one.load()), ...one })))

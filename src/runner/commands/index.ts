import type { Command } from '../command.ts'
import { scan } from './scan.ts'
import { validate } from './validate.ts'

/** The commands of the client, in the order in which its help lists them. */
export const commands: readonly Command[] = [scan, validate]

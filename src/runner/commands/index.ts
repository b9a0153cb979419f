import type { Command } from '../command.ts'
import { apply } from './apply.ts'
import { check } from './check.ts'
import { doctor } from './doctor.ts'
import { drift } from './drift.ts'
import { init } from './init.ts'
import { order } from './order.ts'
import { plan } from './plan.ts'
import { report } from './report.ts'
import { resolve } from './resolve.ts'
import { run } from './run.ts'
import { scan } from './scan.ts'
import { validate } from './validate.ts'

/** The commands of the client, in the order of its help. */
export const commands: readonly Command[] = [
  ...[scan, resolve, plan, apply, drift, run, check, report],
  ...[order, validate, init, doctor],
]

import { changesOk } from '../exit.ts'
import { stackFlags } from '../job/selection.ts'
import { serviceFlags } from '../service/reach-service.ts'

/** Flags of the commands that plan and report: svc plan and svc drift. */
export const planFlags = {
  ...stackFlags,
  ...serviceFlags,
  tool: { says: 'program to plan with, a name or a path (SVC_TOOL)', value: 'PROGRAM' },
  hold: { says: 'keep the result for svc report' },
  'changes-ok': changesOk,
} as const

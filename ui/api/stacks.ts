import type { UnlockResponse } from '#api/repositories/unlock.ts'
import { pathOf, postJson } from './client.ts'

type Release = { reason: string; force_state?: boolean }

/** Releases the lock of a stack, whichever run holds it. */
export const releaseLock = (stackId: string, release: Release): Promise<UnlockResponse> =>
  postJson(pathOf('stacks', stackId, 'unlock'), release)

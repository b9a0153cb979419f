import { syncInstallations } from '#commands/sync-installations.ts'
import type { Handler } from '../handler.ts'

/** Makes the known installations and repositories those of the code host. */
export const syncInstallationsJob: Handler = async (deps) => {
  await syncInstallations(deps)
  return undefined
}

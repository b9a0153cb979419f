import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ensureUi } from '../build-ui.ts'
import { type DemoHub, startDemoHub } from '../demo-hub.ts'
import type { Ending } from '../ending.ts'
import { directoriesOf, removeData, removeLeftovers, self } from '../leftovers.ts'
import { startOwnDatabase } from '../own-database.ts'
import { freePort } from '../postgres/cluster.ts'
import { addApiKey, repositoryKnown } from './first-contact.ts'
import { startServiceProcess } from './service-process.ts'

/** Where the demo plays: everything it started, with the addresses. */
export type Place = {
  hub: DemoHub
  serviceUrl: string
  databaseUrl: string
  /** The service's; an administrator's. */
  apiKey: string
  logFile: string
  /** Rejects when the service ends by itself. */
  lost: Promise<never>
}

/**
 * Starts Postgres, the code host and the service, each on a free port, each registered with `ending`. `onBuild` is called where the
 * web interface has to be built first.
 */
export const startPlace = async (ending: Ending, onBuild?: () => void): Promise<Place> => {
  await removeLeftovers('demo')
  const { data } = directoriesOf('demo', self)
  ending.later(() => removeData(data))
  await mkdir(data, { mode: 0o700 })
  const serviceUrl = `http://127.0.0.1:${await freePort()}`
  const startingHub = ending.keep(startDemoHub({ dataDir: data, serviceUrl }), (hub) => hub.close())
  const [databaseUrl, hub] = await Promise.all([startOwnDatabase('demo', ending), startingHub, ensureUi(onBuild)])
  const logFile = join(data, 'service.log')
  const env = { ...hub.serviceEnv, DATABASE_URL: databaseUrl }
  const service = await ending.keep(startServiceProcess({ url: serviceUrl, env, logFile }), ({ stop }) => stop())
  await Promise.race([repositoryKnown(databaseUrl, hub.repository.fullName), service.lost])
  const apiKey = await addApiKey(databaseUrl)
  return { hub, serviceUrl, databaseUrl, apiKey, logFile, lost: service.lost }
}

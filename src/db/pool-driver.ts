import { createPgDriverFactory } from '@slonik/pg-driver'
import type { DriverClient, DriverFactory } from 'slonik'
import { sessionSettings } from './session-settings.ts'
import { warmestFirst } from './warmest-connection.ts'

/**
 * Slonik's driver, whose connections begin with our settings: once for each connection, where an interceptor of the pool would
 * run each time that one is handed out.
 */
export const poolDriver =
  (settings: Readonly<Record<string, string>>): DriverFactory =>
  async (options) => {
    const driver = await createPgDriverFactory()(options)
    const lent = warmestFirst()
    return {
      createClient: async () => {
        const client = await driver.createClient()
        await begin(client, sessionSettings(settings))
        return lent(client)
      },
    }
  }

const begin = async (client: DriverClient, settings: string): Promise<void> => {
  try {
    client.acquire()
    await client.query(settings)
    await client.release()
  } catch (error) {
    await client.destroy()
    throw error
  }
}

import type { Client } from 'pg'

/** Such a pooler may also have several idle sessions to choose from: it is asked this often. */
const looks = 3

/**
 * Rejects if `client` reaches the database through a pooler in transaction or statement mode. The service needs sessions of its
 * own: for the locks of migrations and of the leader, for settings, prepared statements and notifications. There it would start,
 * and fail later here and there.
 *
 * Two clients that the pooler lets in both never have one backend at the same time, unless the pooler takes it from the first
 * between two of its statements. In session mode the second may be kept waiting instead, if the pooler has one session only: its
 * connection then times out, and `another` rejects.
 */
export const refuseSharedSessions = async (client: Client, another: () => Promise<Client>): Promise<void> => {
  const second = await another()
  try {
    for (let look = 0; look < looks; look += 1) {
      if ((await backendOf(client)) !== (await backendOf(second))) continue
      throw new Error(
        'DATABASE_URL leads to a pooler in transaction mode: the service needs sessions of its own. Use session mode, or the address of the server itself',
      )
    }
  } finally {
    await second.end()
  }
}

const backendOf = async (client: Client): Promise<number | undefined> =>
  (await client.query<{ backend: number }>('select pg_backend_pid() as backend')).rows[0]?.backend

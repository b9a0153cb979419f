import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Test } from 'tap'
import { serverAccount } from '#dev/postgres/account.ts'
import { freePort } from '#dev/postgres/cluster.ts'
import { until } from '#test/helpers/until.ts'
import { listens, scratch } from './programs.ts'

/** PgBouncer in front of a database, until the test ends; returns the address that leads through it. */
export const startPgBouncer = async (
  t: Test,
  databaseUrl: string,
  mode: 'session' | 'transaction',
): Promise<string> => {
  const through = new URL(databaseUrl)
  const { hostname, port: server, username, password, pathname } = through
  const port = await freePort()
  const dir = await scratch(t)
  const name = pathname.slice(1)
  const users = join(dir, 'users.txt')
  const settings = join(dir, 'pgbouncer.ini')
  await writeFile(users, `"${decodeURIComponent(username)}" "${decodeURIComponent(password)}"\n`)
  await writeFile(
    settings,
    `[databases]
${name} = host=${hostname} port=${server} dbname=${name}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = ${password === '' ? 'trust' : 'plain'}
auth_file = ${users}
pool_mode = ${mode}
default_pool_size = 40
`,
  )
  // as root it refuses to run
  const account = serverAccount()
  if (account) for (const path of [dir, users, settings]) await chown(path, account.uid, account.gid)
  const bouncer = spawn('pgbouncer', ['--quiet', settings], {
    stdio: 'ignore',
    ...(account ? { uid: account.uid, gid: account.gid } : {}),
  })
  const ended = once(bouncer, 'exit')
  t.teardown(async () => {
    bouncer.kill('SIGINT')
    bouncer.kill('SIGTERM')
    await ended
  })
  await until(() => listens(port))
  through.host = `127.0.0.1:${port}`
  return through.href
}

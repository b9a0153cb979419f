#!/usr/bin/env node
import { failureText } from './cli/answer.ts'
import type { TryStore } from './cli/check-config.ts'
import { readCommandLine } from './cli/command-line.ts'
import { runCommand } from './cli/run-command.ts'
import { readConfig } from './config.ts'
import { oldNode } from './node-version.mjs'
import type { RunningService } from './service.ts'
import { holdYoungGeneration, releaseYoungGeneration } from './young-generation.ts'

const start = async (): Promise<void> => {
  holdYoungGeneration()
  const read = readConfig(process.env)
  if ('problems' in read) {
    for (const problem of read.problems) console.error(`svc-server: ${problem}`)
    process.exit(1)
  }
  // only now: making a key need not wait for the server and the code host's client to load
  const { startService } = await import('./service.ts')
  // a signal during the start ends the process: migrations are transactions. Without this handler the first process of a
  // container would not react to it
  let service: RunningService | undefined
  let stopping = false
  const stop = (lameDuckMs: number): void => {
    if (stopping || !service) process.exit(1)
    stopping = true
    service.stop({ lameDuckMs }).then(
      () => process.exit(0),
      (error) => {
        console.error(`svc-server: ${error}`)
        process.exit(1)
      },
    )
  }
  // a balancer checks readiness every second or so; a person at a terminal does not
  process.on('SIGTERM', () => stop(1000))
  // in a terminal Ctrl-C reaches all processes, and npm passes it on besides: within so little time nobody pressed it twice
  let interrupted = -Infinity
  process.on('SIGINT', () => {
    const now = performance.now()
    if (now - interrupted > 300) stop(0)
    interrupted = now
  })
  service = await startService(read.config)
  releaseYoungGeneration()
}

const tryStore: TryStore = async (options) => (await import('./artifacts/s3.ts')).createS3Store(options)

const main = async (): Promise<void> => {
  const old = oldNode('svc-server', process.versions.node)
  if (old !== undefined) throw new Error(old)
  const command = readCommandLine(process.argv.slice(2))
  if ('problem' in command) {
    if (process.argv.includes('--json')) process.stdout.write(failureText(command.problem))
    console.error(`svc-server: ${command.problem}\n\n${command.usage}`)
    process.exitCode = 1
  } else if (command.kind === 'help') {
    process.stdout.write(command.usage)
  } else if (command.kind === 'serve') {
    await start()
  } else {
    const { out, note, status } = await runCommand(command, { env: process.env, tryStore, progress: console.error })
    process.stdout.write(out)
    if (note !== undefined) console.error(note)
    process.exitCode = status
  }
}

main().catch((error) => {
  console.error(`svc-server: ${error instanceof Error ? error.message : error}`)
  process.exit(1)
})

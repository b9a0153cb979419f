#!/usr/bin/env node
import { readConfig } from './config.ts'
import { startService } from './service.ts'

const usage = `svc-server: the stack orchestration service

Usage: svc-server [--help]

Everything is configured by environment variables: .env.example names each of them. Stop it with SIGTERM or SIGINT: it
answers the requests that are under way first; a second signal stops it at once.
`

const start = async (): Promise<void> => {
  const read = readConfig(process.env)
  if ('problems' in read) {
    for (const problem of read.problems) console.error(`svc-server: ${problem}`)
    process.exit(1)
  }
  const service = await startService(read.config)
  let stopping = false
  const stop = (): void => {
    if (stopping) process.exit(1)
    stopping = true
    service.stop().then(
      () => process.exit(0),
      (error) => {
        console.error(`svc-server: ${error}`)
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

const args = process.argv.slice(2)
if (args.includes('--help') || args.includes('-h')) {
  process.stdout.write(usage)
} else if (args.length > 0) {
  console.error(`svc-server: unknown argument ${args[0]}\n\n${usage}`)
  process.exit(1)
} else {
  start().catch((error) => {
    console.error(`svc-server: ${error instanceof Error ? error.message : error}`)
    process.exit(1)
  })
}

#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { readEnvironment } from './environment.ts'

const environment = readEnvironment()
// Half of the time that a command takes to start is the compiling of what it is made of: 0.28 s with it kept, 0.46 s without.
enableCompileCache(join(environment.cacheDir, 'code'))
// Whoever reads no further (`svc scan | head`) has what was wanted.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit()
})
const { main } = await import('./main.ts')

process.exitCode = await main(process.argv.slice(2), environment, process.cwd())

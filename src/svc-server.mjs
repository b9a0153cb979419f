#!/usr/bin/env node
import { oldNode } from './node-version.mjs'

/* `svc-server` from its sources. The release needs no such file: its programs are plain JavaScript. */

const problem = oldNode('svc-server', process.versions.node)
if (problem === undefined) {
  await import('./main.ts')
} else {
  console.error(`svc-server: ${problem}`)
  process.exitCode = 1
}

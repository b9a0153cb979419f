#!/usr/bin/env node
import { oldNode } from '../node-version.mjs'

/* `svc` from its sources. The release needs no such file: its programs are plain JavaScript. */

const problem = oldNode('svc', process.versions.node)
if (problem === undefined) {
  await import('./bin.ts')
} else {
  console.error(`error: ${problem}`)
  process.exitCode = 1
}

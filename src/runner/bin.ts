#!/usr/bin/env node
import { readEnvironment } from './environment.ts'
import { main } from './main.ts'

process.exitCode = await main(process.argv.slice(2), readEnvironment(), process.cwd())

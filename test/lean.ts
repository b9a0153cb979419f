import asyncHooks, { type AsyncHook } from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'

/*
 * Loaded into the process of each test file before tap's own setup (.taprc, --require). It keeps tap from doing four things
 * that took a quarter of the suite's CPU.
 */

/*
 * tap follows every promise with async hooks, to name the subtest of an error that no one caught. Tests of a service over
 * real HTTP make millions of promises: a file of stories took 71 s of CPU with the hooks, and 54 s without. An uncaught error
 * still fails its file, with its stack.
 */
const hook: AsyncHook = { enable: () => hook, disable: () => hook }
asyncHooks.createHook = () => hook
syncBuiltinESMExports()

/* tap records which files are loaded, for coverage: 0.6 s of CPU a file. No coverage is recorded here. */
process.env._TAPJS_PROCESSINFO_EXCLUDE_ = '/./'

/*
 * Types are stripped in place: lines are right without source maps, and the maps of a hundred libraries were read for each
 * file.
 */
process.setSourceMapsEnabled(false)
process.setSourceMapsEnabled = () => {}

/* A program that a test starts need not load what tap loads: 0.1 s of CPU each. */
delete process.env.NODE_OPTIONS

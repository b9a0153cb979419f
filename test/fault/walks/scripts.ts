import type { Taken } from './take-walk.ts'

/* Walks by script, for what dice lead to once in ten thousand. */

/** The seed says in which repository. */
export type Script = { seed: number; script: readonly Taken[] }

const scriptOf = (steps: readonly (readonly [name: string, key: string])[], seed = 0): Script => ({
  seed,
  script: steps.map(([name, key], at) => ({ name, key, at: at + 1 })),
})

/** A plan and an apply whose jobs send their results twice, each of another kind. */
export const again = scriptOf([
  ['open a pull request', '0'],
  ['register', '0 anew'],
  ['upload', '0 all 0'],
  ['report a plan', '0 a changes 0'],
  ['report a plan', '0 a changes 2'],
  ['report a plan', '0 b none 3'],
  ['report a plan', '0 b none 3'],
  ['report a plan', '0 b failed 4'],
  ['report the rest of a plan', '0'],
  ['svc apply', '0'],
  ['a dispatched job reports', '1.0.0 a changes 0'],
  ['a dispatched job reports', '1.0.0 a changes 0'],
  ['svc apply', '0'],
])

/** A dispatch that goes out twice, is given up, and is then taken by the second attempt of its workflow run. */
export const twice = scriptOf([
  ['open a pull request', '0'],
  ['register', '0 anew'],
  ['upload', '0 one 2'],
  ['report the rest of a plan', '0'],
  ['the next dispatch goes wrong', 'unlisted'],
  ['svc apply', '0'],
  ['a dispatch is sent again', '1.0'],
  ['news that a dispatched workflow run has begun', '1.0.0'],
  ['nobody picks a dispatch up', '1.0'],
  ['a dispatched workflow run ends', '1.0.0'],
  ['a dispatched workflow run ends, and its news comes late', '1.0.1'],
  ['a dispatched workflow run is run again', '1.0.1'],
  ['a dispatched job begins', '1.0.1 c'],
  ['a dispatched job begins', '1.0.1.late c'],
  ['late news that a dispatched workflow run has ended', '1.0.0'],
  ['a dispatched workflow run ends', '1.0.1'],
  ['late news that a dispatched workflow run has ended', '1.0.0'],
])

/** A manual run of all stacks, reported by its caller. */
export const manual = scriptOf([
  ['open a pull request', '0'],
  ['register', '0 anew'],
  ['upload', '0 all 0'],
  ['start a manual run', '0'],
  ['report of a manual run', '1 a changes 0'],
  ['start a manual run', '0'],
])

/** An apply whose second wave is held twice, and whose third is held until a newer commit comes. */
export const held = scriptOf(
  [
    ['open a pull request', '0'],
    ['register', '0 anew'],
    ['upload', '0 all 0'],
    ['report the rest of a plan', '0'],
    ['svc apply', '0'],
    ['results come inside of a window', '1.0.0'],
    ['a wave that is held is asked for again', '1 inside of the window'],
    ['a wave that is held is asked for again', '1'],
    ['results come inside of a window', '1.1.0'],
    ['push', '0'],
  ],
  4,
)

import { parseArgs } from 'node:util'
import { type SceneName, sceneNames } from './scenes/scene-names.ts'

/** The options of `npm run demo`. */
export type DemoOptions = {
  /** End after the scenes instead of staying up. */
  exit: boolean
  /** Print one JSON object as the last line on standard output; everything else goes to standard error. */
  json: boolean
  /** The scenes to play, with those they go on from. */
  scenes: readonly SceneName[]
}

export type ReadOptions = DemoOptions | 'help' | { problem: string }

export const usage = `Shows the service at work on this machine: a real Postgres, an emulated GitHub whose Actions really run, and the service.
It opens pull requests, has them applied, prints what happens with addresses to open, and stays up until Ctrl-C.

Usage: npm run demo -- [--only SCENE]... [--exit] [--json] [--help]

  --only SCENE   play only this scene, after the one it goes on from; may be given several times
  --exit         end after the scenes; the exit status is 0 if everything came out as intended, else 1
  --json         print the outcome as one JSON object, the last line on standard output; all else goes to standard error

Scenes:
  label        a module that every stack uses changes: twelve plans in three waves (only on request: push includes it)
  push         a second push to the same pull request replaces its first run
  storefront   a variable of one instance changes: one plan
  hide         svc.yml is changed to leave out the very stack that changes: the stack is planned all the same
  cycle        stacks are made to depend on each other in a cycle: the run fails and shows the cycle
  apply        an apply is refused, then approved, and runs in three waves that wait for an environment's reviewer
  lock         another pull request's apply is refused by the locks of the first (after apply)
  merge        the applied pull request is merged, which releases its locks (after apply)
  fail         one stack fails to apply, and its dependents are blocked
  fix          a fix is pushed, applied and merged (after fail)
  kill         the runner of an apply is killed: its stack is unknown, and stays locked
  unlock       the lock is released, and a comment has the stack planned again (after kill)

Environment:
  DATABASE_URL   a Postgres server for the demo's database, which is dropped afterwards; by default the demo starts a server itself
  SVC_DATA_DIR   where that server keeps its data while the demo runs

Terraform or tofu plans and applies, whichever is on the path; without either, a stand-in plays back recorded runs.
`

const flags = {
  exit: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  only: { type: 'string', multiple: true },
  help: { type: 'boolean', short: 'h', default: false },
} as const

export const readOptions = (args: readonly string[]): ReadOptions => {
  try {
    const { values } = parseArgs({ args: [...args], options: flags, strict: true, allowPositionals: false })
    if (values.help) return 'help'
    const wanted = values.only ?? sceneNames.filter((name) => name !== 'label')
    const unknown = wanted.find((name) => !sceneNames.some((scene) => scene === name))
    if (unknown !== undefined)
      return { problem: `--only: there is no scene '${unknown}', but ${sceneNames.join(', ')}` }
    const scenes = sceneNames.filter((name) => wanted.includes(name))
    return { exit: values.exit, json: values.json, scenes }
  } catch (error) {
    // parseArgs names the flag; after its first sentence it advises on positionals, which do not exist here.
    return { problem: error instanceof Error ? (error.message.split('. ')[0] ?? error.message) : String(error) }
  }
}

import { parseArgs } from 'node:util'
import { type SceneName, sceneNames } from './scene-names.ts'

/** What `npm run demo` was asked for. */
export type DemoOptions = {
  /** End after the scenes instead of staying up. */
  exit: boolean
  /** One JSON object as the last line on standard output; everything else goes to standard error. */
  json: boolean
  /** What is played, with what it goes on from. */
  scenes: readonly SceneName[]
}

export type ReadOptions = DemoOptions | 'help' | { problem: string }

export const usage = `Shows the service at work on this machine: a real Postgres, an emulated GitHub whose Actions really run, and the service.
It opens pull requests, has them applied, prints what becomes of them with addresses to open, and stays up until Ctrl-C.

Usage: npm run demo -- [--only SCENE]... [--exit] [--json] [--help]

  --only SCENE   play this scene only, after the one that it goes on from; may be given several times
  --exit         end after the scenes; the exit status is 0 when all came out as intended, else 1
  --json         print what came out as one JSON object, as the last line on standard output; all else is on standard error

Scenes:
  label        a module that every stack uses changes: twelve plans in three waves (only when asked for: push has them too)
  push         a second push to the same pull request replaces its first run
  storefront   a variable of one instance changes: one plan
  hide         svc.yml is changed so as to leave out the very stack that changes: it is planned all the same
  circle       stacks are made to depend on each other in a circle: the run fails and spells it
  apply        an apply is refused, then approved, and goes out in three waves that wait for an environment's reviewer
  lock         another pull request's apply is refused by the locks of the first (after apply)
  merge        the applied pull request is merged, which frees its locks (after apply)
  fail         one stack fails in its apply, and what depends on it is blocked
  fix          a fix is pushed, applied and merged (after fail)
  kill         the runner of an apply is killed: its stack is unknown, and stays locked
  unlock       the lock is released, and the stack planned again by a comment (after kill)

Environment:
  DATABASE_URL   a Postgres server to use, in a database of the demo's own that is dropped afterwards; one is brought along
  SVC_DATA_DIR   where the Postgres that is brought along keeps its data while the demo runs

Terraform or tofu plans and applies, whichever is on the path; without either, a stand-in plays recorded runs.
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
    // parseArgs names the flag; what follows its first sentence is advice for positionals, of which there are none.
    return { problem: error instanceof Error ? (error.message.split('. ')[0] ?? error.message) : String(error) }
  }
}

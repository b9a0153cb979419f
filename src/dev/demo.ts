import { many } from '#domain/change-counts.ts'
import { evidence } from './demo/evidence.ts'
import { type DemoOptions, readOptions, usage } from './demo/options.ts'
import { type Outcome, outcomeOf } from './demo/outcome.ts'
import { type Place, startPlace } from './demo/place.ts'
import { scenes } from './demo/scenes.ts'
import { createStage, lookAgain, type Stage } from './demo/stage.ts'
import { stayUp } from './demo/stay-up.ts'
import { createTeller, type Teller } from './demo/teller.ts'
import { createEnding } from './ending.ts'
import { findTool } from './find-tool.ts'

/*
 * npm run demo
 *
 * From a pull request to a planned run, for anybody to see on their own machine. demo/options.ts says how it is used.
 */

const opening = (tool: string | undefined): string =>
  tool === undefined
    ? 'Neither terraform nor tofu is on the path: a stand-in plays plans that terraform made of the same stacks before.'
    : `The stacks are planned by ${tool}.`

const addresses = ({ hub, serviceUrl, databaseUrl, logFile }: Place): string => `
service    ${serviceUrl}   (its log: ${logFile})
code host  ${hub.emulator.webUrl}/${hub.repository.fullName}
database   ${databaseUrl}`

const playAll = async (options: DemoOptions, place: Place, stage: Stage, teller: Teller): Promise<string[]> => {
  const problems: string[] = []
  for (const name of options.scenes) {
    const scene = scenes[name]
    teller.title(scene.title)
    const otherwise = await stage.play(scene)
    if (otherwise.length === 0) continue
    for (const text of otherwise) teller.problem(`not as intended: ${text}`)
    for (const text of evidence(place, stage.played().at(-1)?.followed.pull)) teller.say(text)
    problems.push(...otherwise.map((text) => `${name}: ${text}`))
  }
  return problems
}

type Performance = { outcome: Outcome; stage: Stage | undefined }

/** All of the demo up to its outcome. There is one whatever happens, so that a program may rely on reading it. */
const perform = async (options: DemoOptions, teller: Teller, starting: Promise<Place>): Promise<Performance> => {
  const tool = (await findTool()) ?? 'recorded plans'
  const since = (): number => Math.round(performance.now() / 100) / 10
  let stage: Stage | undefined
  try {
    const place = await starting
    teller.say(addresses(place))
    stage = createStage(place, teller)
    const problems = await Promise.race([playAll(options, place, stage, teller), place.lost])
    return { outcome: outcomeOf(await lookAgain(stage), { problems, tool, seconds: since() }), stage }
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    return { outcome: outcomeOf(stage?.played() ?? [], { problems: [problem], tool, seconds: since() }), stage }
  }
}

const closing = ({ ok, runs, check_runs, problems, seconds }: Outcome): string =>
  ok
    ? `\nAll came out as intended: ${many(runs.length, 'run')}, ${many(check_runs.length, 'check run')}, ${seconds} s.`
    : ['\nNot all came out as intended:', ...problems.map((text) => `- ${text}`)].join('\n')

const run = async (options: DemoOptions): Promise<void> => {
  const teller = createTeller(options.json ? process.stderr : process.stdout)
  const ending = createEnding(teller.problem)
  teller.say(`${opening(await findTool())}\nStarting Postgres, a code host and the service …`)
  const starting = startPlace(ending)
  // Whoever waits for it is told, and that may be a moment later than it fails.
  starting.catch(() => {})
  const { outcome, stage } = await perform(options, teller, starting)
  // What a signal cut short came to nothing, and that is not news.
  if (ending.isEnding()) return
  teller.say(closing(outcome))
  if (options.json) process.stdout.write(`${JSON.stringify(outcome)}\n`)
  if (options.exit || stage === undefined) return ending.end(outcome.ok ? 0 : 1)
  ending.signalsAreFine()
  const place = await starting
  stayUp(place, stage, teller)
  await place.lost
}

const read = readOptions(process.argv.slice(2))
if (read === 'help') {
  process.stdout.write(usage)
} else if ('problem' in read) {
  console.error(`demo: ${read.problem} ('npm run demo -- --help' says how it is used)`)
  process.exitCode = 1
} else {
  await run(read)
}

import { many } from '#domain/change-counts.ts'
import { type DemoOptions, readOptions, usage } from './demo/options.ts'
import { type Outcome, outcomeOf } from './demo/outcome.ts'
import { type Place, startPlace } from './demo/place.ts'
import { playScenes, type ScenePlayed } from './demo/play-scenes.ts'
import { createStage, lookAgain, type Stage } from './demo/stage.ts'
import { stayUp } from './demo/stay-up.ts'
import { createTeller, type Teller } from './demo/teller.ts'
import { createEnding } from './ending.ts'
import { findTool } from './find-tool.ts'

/*
 * npm run demo
 *
 * From a pull request to what was applied, for anybody to see on their own machine. demo/options.ts says how it is used.
 */

const opening = (tool: string | undefined): string =>
  tool === undefined
    ? 'Neither terraform nor tofu is on the path: a stand-in plays what terraform made of the same stacks before.'
    : `The stacks are planned and applied by ${tool}.`

const addresses = ({ hub, serviceUrl, databaseUrl, logFile }: Place): string => `
service    ${serviceUrl}   (its log: ${logFile})
code host  ${hub.emulator.webUrl}/${hub.repository.fullName}
database   ${databaseUrl}`

type Performance = { outcome: Outcome; stage: Stage | undefined }

/** All of the demo up to its outcome. There is one whatever happens, so that a program may rely on reading it. */
const perform = async (options: DemoOptions, teller: Teller, starting: Promise<Place>): Promise<Performance> => {
  const tool = (await findTool()) ?? 'recorded plans'
  const since = (): number => Math.round(performance.now() / 100) / 10
  let stage: Stage | undefined
  const scenes: ScenePlayed[] = []
  const given = (error?: string) => ({
    problems: [
      ...scenes.flatMap(({ name, problems }) => problems.map((text) => `${name}: ${text}`)),
      ...(error === undefined ? [] : [error]),
    ],
    ...{ tool, scenes, seconds: since() },
  })
  try {
    const place = await starting
    teller.say(addresses(place))
    stage = createStage(place, teller)
    const playing = playScenes(options.scenes, stage, teller, (scene) => scenes.push(scene))
    await Promise.race([playing, place.lost])
    return { outcome: outcomeOf(await lookAgain(stage), given()), stage }
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    return { outcome: outcomeOf(stage?.played() ?? [], given(problem)), stage }
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
  stayUp(stage, teller)
  await stage.place.lost
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

import { many } from '#domain/texts/change-counts.ts'
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
 * Takes pull requests from their opening to their apply, on anybody's machine. demo/options.ts describes its usage.
 */

const opening = (tool: string | undefined): string =>
  tool === undefined
    ? 'Neither terraform nor tofu is on the path: a stand-in plays back what terraform recorded for the same stacks.'
    : `The stacks are planned and applied by ${tool}.`

const addresses = ({ hub, serviceUrl, databaseUrl, logFile }: Place): string => `
look at    ${serviceUrl}   (signing in is one click at the code host: take ada)
its log    ${logFile}
code host  ${hub.emulator.webUrl}/${hub.repository.fullName}
database   ${databaseUrl}`

type Performance = { outcome: Outcome; stage: Stage | undefined }

/** The whole demo up to its outcome. There always is one, because programs read it. */
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
    ? `\nEverything came out as intended: ${many(runs.length, 'run')}, ${many(check_runs.length, 'check run')}, ${seconds} s.`
    : ['\nNot everything came out as intended:', ...problems.map((text) => `- ${text}`)].join('\n')

const run = async (options: DemoOptions): Promise<void> => {
  const teller = createTeller(options.json ? process.stderr : process.stdout)
  const ending = createEnding(teller.problem)
  teller.say(`${opening(await findTool())}\nStarting Postgres, a code host and the service …`)
  const starting = startPlace(ending, () => teller.say('Building the web interface, which takes some seconds …'))
  // `perform` awaits it and reports the error, perhaps a moment after it fails.
  starting.catch(() => {})
  const { outcome, stage } = await perform(options, teller, starting)
  // A signal cut the scenes short, so there is no outcome to report.
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
  console.error(`demo: ${read.problem} ('npm run demo -- --help' explains the usage)`)
  process.exitCode = 1
} else {
  await run(read)
}

import type { WorkflowRunHandle } from '#emulator/handles.ts'
import type { PlayedRun } from '#emulator/people/play-workflow-run.ts'
import type { Answer } from '#test/helpers/runner.ts'
import { send } from '#test/scenes/scene.ts'
import type { AgeingWorld } from './ageing-world.ts'
import type { Behaviour } from './mishaps/mishap.ts'

/** How the jobs of a story ended: results that were taken in time, and those after their stack had been given up. */
export type Played = { reported: Set<string>; late: Set<string>; unexpected: string[] }

/** The runners of a story's workflow runs, played as `svc apply` on a runner acts. */
export type Runners = {
  played: Played
  /** So many minutes have passed. */
  passed(minutes: number): void
  /** Runs everything there is to run; returns whether there was anything. */
  work(): Promise<boolean>
  /** The late work of runners that were believed dead. Returns whether there was any. */
  rise(): Promise<boolean>
  /** GitHub gives up a run that no runner picks up for a day. */
  giveUp(): boolean
}

type Job = { runId: string; key: string; name: string; token(): Promise<string> }

/** By then everything repeated each minute was sent again. */
const lateMinutes = 3

const audience = 'http://svc.example.com'
const applied = { mode: 'apply', status: 'success', exit_code: 0, has_changes: true }

export const playRunners = (
  world: AgeingWorld,
  behaviours: Readonly<Record<string, Behaviour>>,
  isOurs: (key: string) => boolean,
): Runners => {
  const played: Played = { reported: new Set(), late: new Set(), unexpected: [] }
  const seen = new Set<number>()
  const ghosts: (() => Promise<void>)[] = []

  const open = (): WorkflowRunHandle[] =>
    world.repository.workflowRuns().filter((run) => run.now().status !== 'completed' && stacksOf(run).some(isOurs))

  const nameOf = (key: string): string => key.split('/').at(-1) ?? key
  const firstSeen = new Map<number, number>()
  let now = 0
  const nobodyComes = (run: WorkflowRunHandle): boolean => {
    const behaves = stacksOf(run).map((key) => behaviours[nameOf(key)])
    const at = firstSeen.get(run.id) ?? now
    firstSeen.set(run.id, at)
    return behaves.includes('never comes') || (behaves.includes('comes late') && now - at < lateMinutes)
  }

  const ask = async (job: Job, path: string, body: object, wanted = 200): Promise<Answer> => {
    const answer = await sendAgain(async () => send(world, await job.token(), path, body))
    if (answer.status !== wanted) played.unexpected.push(`${job.key}: ${path} ${JSON.stringify(answer)}`)
    return answer
  }
  const join = (job: Job, wanted?: number) => ask(job, '/v1/runs', { run_id: job.runId, stacks: [job.key] }, wanted)
  const report = async (job: Job, into: Set<string>): Promise<void> => {
    const { status } = await ask(job, resultPath(job), applied)
    if (status === 200) into.add(job.name)
  }

  /** Whether the job ended well. */
  const play = async (job: Job): Promise<boolean> => {
    const behaviour = behaviours[job.name]
    for (const _ of behaviour === 'sends all twice' ? [1, 2] : [1]) await join(job)
    if (behaviour?.startsWith('dies')) {
      if (behaviour === 'dies, then reports') await leaveGhost(job)
      return false
    }
    for (const _ of behaviour === 'sends all twice' ? [1, 2] : [1]) await report(job, played.reported)
    return true
  }

  /** Its token was handed out while GitHub still believed the runner alive, and is valid for some minutes. */
  const leaveGhost = async (job: Job): Promise<void> => {
    const token = await job.token()
    ghosts.push(() => report({ ...job, token: async () => token }, played.late))
  }

  const work = async (): Promise<boolean> => {
    const runs = open().filter((run) => !seen.has(run.id) && !nobodyComes(run))
    for (const run of runs) {
      seen.add(run.id)
      const attempt = run.play()
      const ends = await Promise.all(stacksOf(run).map((key) => play(jobOf(attempt, key, nameOf(key)))))
      attempt.complete(ends.every(Boolean) ? 'success' : 'failure')
      await world.quiet()
      await rerunDead(run)
    }
    return runs.length > 0
  }

  /** A person who presses 're-run failed jobs', without knowing the service. */
  const rerunDead = async (run: WorkflowRunHandle): Promise<void> => {
    const keys = stacksOf(run).filter((key) => behaviours[nameOf(key)] === 'dies, is re-run')
    if (keys.length === 0) return
    run.rerunFailed()
    const attempt = run.play()
    for (const key of keys) await join(jobOf(attempt, key, nameOf(key)), 403)
    attempt.complete('failure')
  }

  return {
    played,
    passed: (minutes) => {
      now += minutes
    },
    work,
    rise: async () => {
      const rising = ghosts.splice(0)
      for (const ghost of rising) await ghost()
      return rising.length > 0
    },
    giveUp: () => {
      const waiting = open().filter((run) => !seen.has(run.id))
      for (const run of waiting) run.cancel()
      return waiting.length > 0
    },
  }
}

/** Keys of the stacks of a dispatched workflow run. */
export const stacksOf = (run: WorkflowRunHandle): string[] => {
  const { include = [] }: { include?: { key: string }[] } = JSON.parse(run.now().inputs.stacks ?? '{}')
  return include.map(({ key }) => key)
}

const jobOf = (attempt: PlayedRun, key: string, name: string): Job => {
  const job = attempt.job(key, { environment: 'default' })
  return { runId: attempt.inputs.run_id ?? '', key, name, token: () => job.token(audience) }
}

const resultPath = ({ runId, key }: Job): string => `/v1/runs/${runId}/stacks/${encodeURIComponent(key)}/result`

/** The client tries four times; a story's end cannot depend on the waits between. */
const tries = 4

const sendAgain = async (ask: () => Promise<Answer>): Promise<Answer> => {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await ask()
    if (answer.status < 500 || attempt === tries) return answer
  }
}

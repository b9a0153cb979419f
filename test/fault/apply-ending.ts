import { sql } from '#db/sql.ts'
import type { PullRequestHandle } from '#emulator/handles.ts'
import { dispatchStates, standing } from '#test/scenes/dispatched.ts'
import { query } from '#test/scenes/scene.ts'
import { brokenStandings } from '#test/scenes/standings.ts'
import type { AgeingWorld } from './ageing-world.ts'
import { lockStates, type Told, waves } from './apply-story.ts'
import { brokenInvariants } from './invariants.ts'
import type { Loss } from './mishaps/mishap.ts'
import { stacksOf } from './runners.ts'

/** How an apply ended: what the service holds, what GitHub shows, and what is still to be done. */
export type Ending = {
  runs: string[]
  dispatches: string[]
  /** By stack, before the merge and, if there was one, after it. */
  locks: Record<string, string>[]
  /** Waves of the started workflow runs. */
  workflowRuns: string[]
  /** `apply: app success`, for each check run. */
  checks: string[]
  /** The kinds of the app's comments, and its reactions to the command. */
  comments: string[]
  reactions: string[]
  left: readonly unknown[]
  broken: string[]
}

const names = waves.flat()
const sorted = (words: readonly string[]): string[] => [...words].sort()

/** The end of an apply with these losses, by the machines of docs/machines.md. */
export const endingAfter = ({ unreported = [], late = [], neverRan = [] }: Loss, isMerged = true): Ending => {
  const isInTime = (name: string): boolean => !unreported.includes(name)
  const goesOn = waves[0].every(isInTime)
  const reported = (name: string): string => (isInTime(name) || late.includes(name) ? 'applied' : 'unknown')
  const never = unreported.includes('network') ? 'blocked' : 'skipped'
  const status = (name: string): string => (name === 'app' && !goesOn ? never : reported(name))
  const run = names.every((name) => status(name) === 'applied') ? 'applied' : 'failed'
  const out = goesOn ? [0, 1] : [0]
  const each = (of: (name: string) => string) => Object.fromEntries(sorted(names).map((name) => [name, of(name)]))
  return {
    runs: [`${run}: ${[...sorted(waves[0]), ...waves[1]].map((name) => `${name} ${status(name)}`).join(', ')}`],
    dispatches: out.map((wave) => `${wave}.1 ${neverRan.includes(wave) ? 'lost' : 'completed'}`),
    locks: [
      each((name) => (status(name) === never ? 'held.claimed' : 'held.changed')),
      // a change that may have happened unseen is for a person to check, and a merge does not change that
      ...(isMerged ? [each((name) => (status(name) === 'unknown' ? 'held.orphaned' : 'free'))] : []),
    ],
    workflowRuns: out.filter((wave) => !neverRan.includes(wave)).map(String),
    checks: sorted([
      ...['resolve', 'plan', ...names.map((name) => `plan: ${name}`)].map((check) => `${check} success`),
      `apply ${run === 'applied' ? 'success' : 'failure'}`,
      ...names.map((name) => `apply: ${name} ${conclusions[status(name)]}`),
    ]),
    comments: ['the run', ...(isMerged && names.some((name) => status(name) === 'unknown') ? ['orphaned locks'] : [])],
    reactions: ['eyes', 'rocket'],
    left: [],
    broken: [],
  }
}

const conclusions: Record<string, string> = {
  ...{ applied: 'success', unknown: 'action_required', blocked: 'cancelled', skipped: 'cancelled' },
}

/** What was lost during a story, as its runners and GitHub know it. */
export const lossOf = (world: AgeingWorld, { keyOf, played }: Told): Loss => {
  const { reported, late } = played
  const ran = workflowRunsOf(world, keyOf).map((run) => Number(run.now().inputs.wave))
  const isOut = (wave: number): boolean => wave === 0 || waves[0].every((name) => reported.has(name))
  const out = [0, 1].filter(isOut)
  return {
    unreported: out.flatMap((wave) => (waves[wave] ?? []).filter((name) => !reported.has(name))),
    late: [...late],
    neverRan: out.filter((wave) => !ran.includes(wave)),
  }
}

const workflowRunsOf = ({ repository }: AgeingWorld, keyOf: Told['keyOf']) =>
  repository.workflowRuns().filter((run) => stacksOf(run).some((key) => key.startsWith(keyOf(''))))

/** How it did end. */
export const endingOf = async (world: AgeingWorld, told: Told): Promise<Ending> => {
  const { pull, keyOf, locks, isMerged } = told
  const folder = keyOf('').slice(0, -1)
  const plain = (text: string): string => text.replaceAll(keyOf(''), '')
  const runs = await query(
    world,
    `select id from runs where mode = 'apply' and pr_number = ${pull.number} order by created_at`,
  )
  const ids = runs.map(({ id }): string => id)
  const left = await world.pool.any(
    sql.unsafe`select kind, state, attempt, last_error from jobs where state not in ('done', 'ignored')`,
  )
  const checks = pull
    .checkRuns()
    .map(({ name, conclusion }) => `${name.replace('svc/', '')} ${conclusion ?? 'pending'}`)
  return {
    runs: (await Promise.all(ids.map((id) => standing(world, id)))).map(plain),
    dispatches: (await Promise.all(ids.map((id) => dispatchStates(world, id)))).flat(),
    locks: [locks, ...(isMerged ? [await lockStates(world, folder)] : [])],
    workflowRuns: sorted(workflowRunsOf(world, keyOf).map((run) => run.now().inputs.wave ?? '')),
    checks: sorted(checks.map(plain)),
    comments: commentsOf(pull),
    reactions: sorted(pull.reactions(told.commandId).map(({ content }) => content)),
    left,
    broken: [
      ...(await brokenInvariants(world.pool, pull.number)),
      ...(await brokenStandings(world.pool)),
      ...told.played.unexpected,
    ],
  }
}

/** A reminder of locks comes with each day that passes, whatever happened: it is left out. */
const about: [sign: RegExp, what: string | undefined][] = [
  [/^<!-- svc:answer/, 'an answer'],
  [/^<!-- svc:job .*\n### ⚠️ Closed, and/, 'orphaned locks'],
  [/^<!-- svc:job .*\n### 🔒/, undefined],
  [/^<!-- svc:/, 'the run'],
]

const commentsOf = (pull: PullRequestHandle): string[] =>
  pull.comments().flatMap(({ body }) => about.find(([sign]) => sign.test(body))?.[1] ?? [])

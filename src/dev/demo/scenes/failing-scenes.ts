import { differences } from '../intended.ts'
import { lockDifferences } from '../locks.ts'
import { commentsOf, type Observation } from '../observe.ts'
import { approve, command, commandDifferences, linesOf } from '../people.ts'
import { releaseLock } from '../service-api.ts'
import type { Stage } from '../stage.ts'
import { waitFor } from '../wait-for.ts'
import { applied, planned } from './apply-scenes.ts'
import type { Scene } from './scene.ts'

const releaseWaves = [['apps/storefront:staging', 'data/cache'], ['apps/worker']]

const playFail = async (stage: Stage): Promise<string[]> => {
  const otherwise = await planned(stage, 'release', 'grace', { waves: releaseWaves })
  approve(stage, 'release', 'ada')
  const intended = {
    status: 'failed',
    waves: releaseWaves,
    except: { 'data/cache': 'failed', 'apps/worker': 'blocked' },
    blockedBy: { 'apps/worker': ['data/cache'] },
  } as const
  return [
    ...otherwise,
    ...(await applied(stage, 'release', 'grace', intended)),
    ...(await lockDifferences(stage, 'release', releaseWaves.flat())),
  ]
}

const playFix = async (stage: Stage): Promise<string[]> => {
  const unchanged = ['apps/storefront:staging']
  const otherwise = await planned(stage, 'releaseAgain', 'grace', { waves: releaseWaves, unchanged })
  approve(stage, 'releaseAgain', 'ada')
  const except = { 'apps/storefront:staging': 'noop' } as const
  otherwise.push(
    ...(await applied(stage, 'releaseAgain', 'grace', { status: 'applied', waves: releaseWaves, except })),
    ...(await lockDifferences(stage, 'releaseAgain', releaseWaves.flat())),
  )
  const pull = stage.pull('releaseAgain')
  await pull.merge('ada')
  stage.tell(`ada merges #${pull.number}`)
  return [...otherwise, ...(await lockDifferences(stage, 'releaseAgain', []))]
}

const registry = 'platform/registry'

/** Kills the runner of the one job as soon as its log shows the tool applying. */
const killing = (stage: Stage) => {
  let isKilled = false
  return ({ workflows }: Observation): void => {
    const [workflow] = workflows
    if (isKilled || !workflow) return
    const handle = stage.place.hub.emulator.workflowRun(workflow.id)
    const job = handle.jobs().find(({ log }) => new RegExp(` apply \\(${registry}\\)`).test(log))
    if (!job) return
    isKilled = handle.killRunner(job.id, 500)
    if (isKilled) stage.tell(`the runner of the job '${job.name}' is killed in the middle of the apply`)
  }
}

const playKill = async (stage: Stage): Promise<string[]> => {
  const otherwise = await planned(stage, 'repository', 'linus', { waves: [[registry]] })
  approve(stage, 'repository', 'ada')
  otherwise.push(...commandDifferences(await command(stage, 'repository', 'svc apply', 'linus')))
  const { last, problem } = await stage.watch('repository', { mode: 'apply' }, { meanwhile: killing(stage) })
  if (problem !== undefined) return [...otherwise, problem]
  const intended = { status: 'failed', waves: [[registry]], except: { [registry]: 'unknown' } } as const
  const comment = last.comments.find(({ kind }) => kind === 'overview')
  const next = /\*\*Next:\*\* (.+)/.exec(comment?.body ?? '')?.[1] ?? ''
  stage.tell(`its comment says what to do: ${next}`)
  return [...otherwise, ...differences(intended, last), ...(await lockDifferences(stage, 'repository', [registry]))]
}

const playUnlock = async (stage: Stage): Promise<string[]> => {
  const pull = stage.pull('repository')
  const before = new Set(commentsOf(pull).map(({ id }) => id))
  const reason = 'its runner was lost, and nothing is running any more'
  const { released } = await releaseLock(stage.place, { stack_key: registry, reason, force_state: true })
  stage.tell(
    `POST /v1/unlock with force_state releases ${released.map(({ stack_key }) => stack_key).join(', ') || 'nothing'}`,
  )
  const locks = await lockDifferences(stage, 'repository', [])
  const told = await waitFor(() => commentsOf(pull).find(({ id, kind }) => kind === 'answer' && !before.has(id)))
  if (told === undefined) return [...locks, 'no comment on the pull request reports the release']
  stage.tell(`a comment on the pull request reports the release: ${told.url}`)
  for (const line of linesOf(told.body)) stage.tell(`  ${line}`)
  const warned = /lock on the state/.test(told.body) ? [] : ['the comment does not ask to check the lock on the state']
  return [...locks, ...warned, ...(await planAgain(stage))]
}

/** Planning shows what exists now: the service dispatches that itself. */
const planAgain = async (stage: Stage): Promise<string[]> => {
  const planRun = stage.played().find(({ change, followed }) => change === 'repository' && followed.mode === 'plan')
  const notRunId = planRun?.followed.runId
  if (notRunId === undefined) return ['there is no plan to repeat']
  const otherwise = commandDifferences(await command(stage, 'repository', 'svc plan', 'linus'))
  if (otherwise.length > 0) return otherwise
  const { last, problem } = await stage.watch('repository', { mode: 'plan', notRunId })
  return problem === undefined ? differences({ status: 'planned', waves: [[registry]] }, last) : [problem]
}

/** Applies that go wrong, and how people go on from there. */
export const failingScenes = {
  fail: {
    title:
      'grace asks for nodes that do not exist: one stack fails to apply, its dependents are blocked, the rest are applied',
    change: 'release',
    play: playFail,
  },
  fix: {
    title:
      'grace pushes a fix under the locks that she still holds: applied stacks are left alone, the rest are applied',
    change: 'releaseAgain',
    after: 'fail',
    play: playFix,
  },
  kill: {
    title: 'the runner of an apply is killed: how far it got is not known, so its stack is unknown and stays locked',
    change: 'repository',
    play: playKill,
  },
  unlock: {
    title:
      'somebody has looked and releases the lock: a comment asks to check the state, and the stack is planned again',
    change: 'repository',
    after: 'kill',
    play: playUnlock,
  },
} satisfies Record<string, Scene>

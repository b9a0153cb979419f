import { differences, type IntendedApply, type IntendedPlan } from '../intended.ts'
import { lockDifferences } from '../locks.ts'
import { approve, approvingDeployments, command, commandDifferences, linesOf } from '../people.ts'
import { readGate } from '../service-api.ts'
import type { Change, Stage } from '../stage.ts'
import { waitFor } from '../wait-for.ts'
import { defaultGraphSha } from './default-graph.ts'
import type { Scene } from './scene.ts'

const waves = [
  ['platform/identity'],
  ['platform/cluster', 'platform/registry'],
  ['apps/storefront:production', 'apps/storefront:staging', 'apps/worker', 'observability/alerts'],
]
const unchanged = ['apps/storefront:production', 'apps/storefront:staging', 'apps/worker', 'platform/registry']
/** The stacks worth applying, by globs: most of the plan is only looked at. */
const chosen = 'svc apply platform/* observability/alerts'
const chosenWaves = [['platform/identity'], ['platform/cluster', 'platform/registry'], ['observability/alerts']]

/** Plans a change, and returns what came out otherwise. */
export const planned = async (
  stage: Stage,
  change: Change,
  author: string,
  intended: Omit<IntendedPlan, 'status'>,
): Promise<string[]> => {
  const { last, problem } = await stage.plan(change, author)
  return problem === undefined ? differences({ status: 'planned', ...intended }, last) : [problem]
}

/** Comments `svc apply`, for all stacks or the named ones, and follows the run to its end. */
export const applied = async (
  stage: Stage,
  change: Change,
  by: string,
  intended: IntendedApply,
  text = 'svc apply',
): Promise<string[]> => {
  const commanded = await command(stage, change, text, by)
  const otherwise = commandDifferences(commanded)
  if (otherwise.length > 0) return otherwise
  const meanwhile = approvingDeployments(stage, 'margaret')
  const { last, problem } = await stage.watch(change, { mode: 'apply' }, { meanwhile })
  return problem === undefined ? differences(intended, last) : [problem]
}

/** Comments `svc apply`, which should be refused with an answer that matches `says`. */
const refused = async (stage: Stage, change: Change, by: string, says: RegExp): Promise<string[]> => {
  const { answer, reactions } = await command(stage, change, 'svc apply', by)
  const lines = linesOf(answer?.body ?? '').join(' / ')
  return [
    ...(says.test(lines) ? [] : [`the answer does not say ${says}: ${lines || 'there is none'}`]),
    ...(reactions.join() === 'eyes' ? [] : [`the refused command got the reactions ${reactions.join() || 'none'}`]),
  ]
}

/** The dry run of the gate: the failures that GET /v1/runs/{id}/gate lists. */
const gateDifferences = async (stage: Stage, change: Change, layers: readonly string[]): Promise<string[]> => {
  const plan = stage.played().findLast((one) => one.change === change && one.followed.mode === 'plan')?.seen.run
  if (!plan) return ['there is no plan to ask the gate about']
  const { failures } = await readGate(stage.place, plan.id)
  const found = failures.map(({ layer }) => layer).join(', ')
  stage.tell(`the gate of its plan fails at: ${found || 'nothing'}: ${stage.place.serviceUrl}/v1/runs/${plan.id}/gate`)
  return found === layers.join(', ') ? [] : [`the gate fails at ${found || 'nothing'}, not at ${layers.join(', ')}`]
}

const playApply = async (stage: Stage): Promise<string[]> => {
  const { repository } = stage.place.hub
  repository.environment('production', { reviewers: ['margaret'] })
  stage.tell('from now on jobs in the environment production wait for margaret')
  const otherwise = [
    ...(await planned(stage, 'sale', 'ada', { waves, unchanged })),
    ...(await refused(stage, 'sale', 'ada', /approval/)),
    ...(await gateDifferences(stage, 'sale', ['approval'])),
  ]
  approve(stage, 'sale', 'grace')
  const intended = { status: 'applied', waves: chosenWaves, except: { 'platform/registry': 'noop' } } as const
  otherwise.push(
    ...(await gateDifferences(stage, 'sale', [])),
    ...(await applied(stage, 'sale', 'ada', intended, chosen)),
    ...(await lockDifferences(stage, 'sale', chosenWaves.flat())),
  )
  repository.environment('production', { reviewers: [] })
  return otherwise
}

const playLock = async (stage: Stage): Promise<string[]> => {
  const otherwise = await planned(stage, 'rota', 'linus', { waves: [['observability/alerts']] })
  approve(stage, 'rota', 'grace')
  const holder = stage.pull('sale').number
  const says = new RegExp(`lock: .*observability/alerts.* #${holder}\\b`)
  return [
    ...otherwise,
    ...(await refused(stage, 'rota', 'linus', says)),
    ...(await gateDifferences(stage, 'rota', ['lock'])),
    ...(await lockDifferences(stage, 'rota', [])),
  ]
}

const playMerge = async (stage: Stage): Promise<string[]> => {
  const pull = stage.pull('sale')
  const sha = pull.headSha()
  const merge = await pull.merge('grace')
  stage.tell(`grace merges #${pull.number} as ${merge.slice(0, 7)}`)
  const locks = await lockDifferences(stage, 'sale', [])
  const settled = await waitFor(async () => ((await defaultGraphSha(stage.place)) === sha ? sha : undefined))
  if (settled === undefined) return [...locks, `the graph of the default branch does not come from ${sha}`]
  stage.tell(`the graph of the default branch now comes from ${sha.slice(0, 7)}`)
  return locks
}

/** From the approval to the merge. */
export const applyScenes = {
  apply: {
    title:
      'ada applies part of her plan once grace has approved: wave by wave, under locks, with margaret approving each deployment',
    change: 'sale',
    play: playApply,
  },
  lock: {
    title: "linus changes one of the same stacks: his apply is refused while ada's pull request holds its lock",
    change: 'rota',
    after: 'apply',
    play: playLock,
  },
  merge: {
    title: "grace merges ada's pull request: its locks are released, and its graph becomes the default branch's",
    change: 'sale',
    after: 'apply',
    play: playMerge,
  },
} satisfies Record<string, Scene>

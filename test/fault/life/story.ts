import { setTimeout as wait } from 'node:timers/promises'
import type { PullRequestHandle } from '#emulator/handles.ts'
import { type Answer, type PlayedJob, playJob, retried } from '#test/helpers/runner.ts'
import type { World } from '#test/helpers/world.ts'
import { dependsOn, stack } from '#test/scenes/scene.ts'
import { type Behaviour, type Life, newDuration, patience, type Told } from './life.ts'

/** The fate of a pull request, unless it is just planned, approved, applied and merged. */
export type Fate = {
  /** A push comes during its first plan. */
  isPushedTwice?: boolean
  /** It changes a stack that others change too. */
  isShared?: boolean
  /** By the last part of the stack's key. */
  runners?: Readonly<Record<string, Behaviour>>
}

/** One in twelve each; the rest have no fate. */
export const fates: readonly Fate[] = [
  { isPushedTwice: true },
  { isShared: true },
  { runners: { network: 'sends all twice', app: 'sends all twice' } },
  { runners: { app: 'fails' } },
  { isPushedTwice: true, isShared: true },
  { runners: { network: 'dies' } },
  {},
  {},
]

type Scene = { life: Life; told: Told; fate: Fate }

/** A pull request's life, from its opening to its merge or, if its apply went wrong, to its closing. */
export const playStory = async (life: Life, world: World, index: number, fate: Fate): Promise<void> => {
  const folder = `life-${index}`
  const keys = ['network', 'dns', 'app'].map((name) => `${folder}/${name}`)
  for (const [name, behaviour] of Object.entries(fate.runners ?? {}))
    life.behaviours.set(`${world.repository.fullName}//${folder}/${name}`, behaviour)
  const pull = await world.github.openPullRequest({
    repo: world.repository.fullName,
    branch: folder,
    title: `Wider network ${index}`,
    author: 'ada',
    changes: { [`${folder}/main.tf`]: '# wider\n' },
  })
  const told: Told = { world, pull, heads: [], commands: [], keys, end: undefined }
  life.told.push(told)
  const scene = { life, told, fate }
  const isApplied = await applied(scene)
  if (isApplied) await pull.merge('rob')
  else await giveUp(scene)
  told.end = isApplied ? 'merged' : 'closed'
}

/** Plans, and asks for the apply, again and again until it is not refused; returns whether it went well. */
const applied = async (scene: Scene): Promise<boolean> => {
  const { life, told, fate } = scene
  const { pull } = told
  await plan(scene, fate.isPushedTwice ? 'half' : 'whole')
  if (fate.isPushedTwice) await push(scene)
  for (;;) {
    pull.review('eve', 'approve')
    if ((await command(scene, 'svc apply')) === 'begun') break
    // another pull request holds the shared stack, or has outdated this plan
    await wait(life.backOffSeconds * 1000)
    await push(scene)
  }
  await until(scene, 'the end of its apply', () => concluded(pull, 'svc/apply') !== undefined)
  return concluded(pull, 'svc/apply') === 'success'
}

/** A partial apply is released by hand, and the pull request closed. */
const giveUp = async (scene: Scene): Promise<void> => {
  await command(scene, 'svc unlock')
  await scene.told.pull.close('rob')
}

const push = async (scene: Scene): Promise<void> => {
  const { pull, heads, keys } = scene.told
  await pull.push({ [`${keys[0]}.md`]: `push ${heads.length}\n` })
  await plan(scene, 'whole')
}

const concluded = (pull: PullRequestHandle, name: string): string | undefined =>
  pull.checkRuns().find((check) => check.name === name)?.conclusion ?? undefined

/** Plays the workflow of the head; if the head is replaced half way, only its first job reports. */
const plan = async (scene: Scene, extent: 'half' | 'whole'): Promise<void> => {
  const { life, told, fate } = scene
  const { world, pull } = told
  told.heads.push(pull.headSha())
  const workflowRun = await pull.playWorkflowRun()
  const job = playJob(world, pull, { workflowRunId: workflowRun.id })
  const ask = (what: string, request: () => Promise<Answer>) => answered(scene, what, request)
  const opened = await ask('opening its run', () => job.open())
  const runId: string = opened.body.run_id
  const [network = '', , app = ''] = told.keys
  const keys = fate.isShared ? [...told.keys, 'shared'] : told.keys
  const graph = { stacks: keys.map((key) => stack(key)), edges: [dependsOn(app, network)] }
  await ask('uploading its graph', () => job.upload(runId, { graph, stacks: keys }))
  const verdict = { status: 'pass', summary: 'all rules hold' }
  const checkPath = `/v1/runs/${runId}/stacks/${encodeURIComponent(network)}/checks/policy`
  await ask('its check', () => job.post(checkPath, verdict))
  const reporting = extent === 'half' ? [network] : keys
  await Promise.all(reporting.map((key) => report(life, ask, job, runId, key)))
  if (extent === 'half') return
  workflowRun.complete('success')
  await until(scene, 'its plan', () => concluded(pull, 'svc/plan') !== undefined)
}

type Ask = (what: string, request: () => Promise<Answer>) => Promise<Answer>

const report = async (life: Life, ask: Ask, job: PlayedJob, runId: string, key: string): Promise<void> => {
  const durationMs = newDuration()
  const { body } = await ask(`the plan of ${key}`, () => job.report(runId, key, { duration_ms: durationMs }))
  life.reported.push({ runId, key, status: body.status, durationMs })
}

/** Rejects with a sentence if the answer is a no. */
const answered = async ({ life, told }: Scene, what: string, request: () => Promise<Answer>): Promise<Answer> => {
  const answer = await retried(request, patience(life))
  if (answer.status === 200 || answer.status === 201) return answer
  throw new Error(`${nameOf(told)}: ${what} was answered ${answer.status} ${JSON.stringify(answer.body)}`)
}

/** Writes a command, and waits for its rocket or its answer. */
const command = async (scene: Scene, text: string): Promise<'begun' | 'answered'> => {
  const { told } = scene
  const { pull } = told
  const { id } = pull.comment(text, 'rob')
  told.commands.push(id)
  const isBegun = (): boolean => pull.reactions(id).some(({ content }) => content === 'rocket')
  const isAnswered = (): boolean => answersTo(pull, id).length > 0
  await until(scene, `an answer to '${text}' (${id})`, () => isBegun() || isAnswered())
  return isBegun() ? 'begun' : 'answered'
}

/** Comments of the app that answer a command. */
export const answersTo = (pull: PullRequestHandle, commandId: number): string[] =>
  pull
    .comments()
    .map(({ body }) => body)
    .filter((body) => body.startsWith(`<!-- svc:answer comment ${commandId} -->`))

const until = async ({ life, told }: Scene, what: string, isSo: () => boolean): Promise<void> => {
  while (!isSo()) {
    if (life.isOver()) throw new Error(`${nameOf(told)}: ${what} never came`)
    await wait(200)
  }
}

export const nameOf = ({ world, pull }: Told): string => `${world.repository.fullName}#${pull.number}`

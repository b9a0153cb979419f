import { newsOfComment } from '../host/news.ts'
import { fullNameOf } from '../host/records.ts'
import { judge, newApply, replannable } from '../model/gate.ts'
import { release } from '../model/locks.ts'
import { lockOf, type Model } from '../model/model.ts'
import { replan } from '../model/plans.ts'
import { learn, newPlan, pullOf } from '../model/pulls.ts'
import { beginApply } from '../model/runs.ts'
import { sendDue } from '../model/waves.ts'
import { askAsKey, type Choice, deliver, likelier, type Step, type Walk } from '../walk.ts'

/* Commands in comments, of one who may push. */

const commanding = (
  verb: string,
  weight: Step['weight'],
  hear: (walk: Walk, number: number) => Promise<void>,
): Step => ({
  name: `svc ${verb}`,
  weight,
  choices: (walk) =>
    Object.keys(walk.model.pulls).map(
      (number, index): Choice => ({
        key: String(index),
        take: async () => {
          await deliver(walk, newsOfComment(walk.repository, Number(number), `svc ${verb}`))
          await hear(walk, Number(number))
        },
      }),
    ),
})

/** The run that a command has begun: one that the model does not know yet. */
const begun = async (walk: Walk, number: number): Promise<string | undefined> => {
  await walk.place.quiet.settled(walk.repository.installationId)
  const { body } = await askAsKey(walk, `/v1/repos/${fullNameOf(walk.repository)}/runs?pr=${number}&limit=5`)
  const known = new Set(walk.model.runs.map(({ id }) => id))
  const made = body.items.map(({ id }: { id: string }) => id).filter((id: string) => !known.has(id))
  if (made.length > 1) walk.broken.push(`one command has begun ${made.length} runs`)
  return made[0]
}

const compared = (walk: Walk, what: string, wanted: boolean, id: string | undefined, why: string): id is string => {
  if (wanted !== (id !== undefined))
    walk.broken.push(`${what} has begun ${id ? `run ${id}` : 'nothing'}, and the model says otherwise: ${why}`)
  return id !== undefined
}

const hearApply = async (walk: Walk, number: number): Promise<void> => {
  const draft = structuredClone(walk.model)
  learn(draft, number)
  const { refusing, keys, isDone } = judge(draft, number)
  const id = await begun(walk, number)
  const isAllowed = refusing.length === 0 && !isDone
  if (
    compared(
      walk,
      'svc apply',
      isAllowed,
      id,
      isDone ? 'all is applied' : `refused by ${refusing.join(', ') || 'none'}`,
    )
  ) {
    beginApply(draft, newApply(draft, id, number, keys))
    sendDue(draft)
  }
  walk.model = draft
}

const hearPlan = async (walk: Walk, number: number): Promise<void> => {
  const draft = structuredClone(walk.model)
  learn(draft, number)
  const keys = replannable(draft, number)
  const id = await begun(walk, number)
  if (compared(walk, 'svc plan', keys !== undefined, id, keys ? 'it plans again' : 'there is nothing to plan again')) {
    replan(draft, newPlan(id, pullOf(draft, number), 'comment'), keys ?? [])
    sendDue(draft)
  }
  walk.model = draft
}

const hearUnlock = async (walk: Walk, number: number): Promise<void> => {
  const draft = structuredClone(walk.model)
  learn(draft, number)
  for (const key of Object.keys(draft.graph)) if (lockOf(draft, key).pull === number) release(lockOf(draft, key))
  walk.model = draft
}

const unlocking: Step = {
  name: 'unlock by key',
  weight: likelier(({ model }) => Object.values(model.locks).some(({ state }) => state !== 'free'), 2, 0.2),
  choices: (walk) =>
    Object.entries(walk.model.locks).flatMap(([key, lock]): Choice[] =>
      // mostly one that is held
      lock.state !== 'free' || key.endsWith('a') ? [{ key, take: () => unlock(walk, key) }] : [],
    ),
}

/** Releases a lock with the API key; the answer names it if it was held. */
export const unlock = async (walk: Walk, key: string): Promise<void> => {
  const draft: Model = structuredClone(walk.model)
  const wasHeld = release(lockOf(draft, key))
  const asked = { repo: fullNameOf(walk.repository), stack_key: key, reason: 'a walk' }
  const { status, body, isRepeated } = await askAsKey(walk, '/v1/unlock', asked)
  const count = body?.released?.length ?? 0
  // a try that a killed instance did not answer may have released it
  const isExpected = count === Number(wasHeld) || (isRepeated && count === 0)
  if (status !== 200 || !isExpected)
    walk.broken.push(`unlocking ${key} releases ${count}, where the model says ${Number(wasHeld)}`)
  walk.model = draft
}

/** What the gate says without applying must be what it would do. */
const asking: Step = {
  name: 'ask the gate',
  weight: 1,
  choices: (walk) =>
    walk.model.runs
      .filter(({ trigger }) => trigger === 'pull_request')
      .slice(-1)
      .map((run): Choice => ({ key: 'newest', take: () => askGate(walk, run.id, run.pull ?? 0) })),
}

const askGate = async (walk: Walk, runId: string, number: number): Promise<void> => {
  const { status, body } = await askAsKey(walk, `/v1/runs/${runId}/gate`)
  const layers: string[] = (body?.failures ?? []).map(({ layer }: { layer: string }) => layer)
  const { refusing, isDone } = judge(walk.model, number)
  const said = refusing.filter((layer) => !layers.includes(layer))
  const unsaid = [...new Set(layers)].filter((layer) => !refusing.includes(layer) && layer !== 'permission')
  if (status !== 200 || (!isDone && said.length + unsaid.length > 0))
    walk.broken.push(`the gate says ${status} ${layers.join(', ')}, where the model says ${refusing.join(', ')}`)
}

const numbers = ({ model }: Walk): number[] => Object.keys(model.pulls).map(Number)
const someoneMayApply = (walk: Walk): boolean =>
  numbers(walk).some((number) => {
    const { refusing, isDone } = judge(walk.model, number)
    return refusing.length === 0 && !isDone
  })
const someoneMayPlan = (walk: Walk): boolean =>
  numbers(walk).some((number) => replannable(walk.model, number) !== undefined)
const someoneHolds = ({ model }: Walk): boolean => Object.values(model.locks).some(({ state }) => state !== 'free')

export const commentSteps: readonly Step[] = [
  commanding('apply', likelier(someoneMayApply, 25, 1), hearApply),
  commanding('plan', likelier(someoneMayPlan, 3, 0.5), hearPlan),
  commanding('unlock', likelier(someoneHolds, 2, 0.3), hearUnlock),
  unlocking,
  asking,
]

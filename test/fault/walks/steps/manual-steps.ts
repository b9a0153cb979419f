import { hearLocked, hearResult } from '../heard.ts'
import { fullNameOf } from '../host/records.ts'
import { newManual } from '../model/gate.ts'
import { isOpen, lockOf, type Run, runOf } from '../model/model.ts'
import { type Outcome, report } from '../model/plans.ts'
import { beginApply } from '../model/runs.ts'
import { askAsKey, type Choice, expectAnswer, resultOf, type Step, stackPath, type Walk } from '../walk.ts'
import { outcomes, runName } from './plan-steps.ts'

/* Runs that an API key starts, runs and reports itself. */

const starting: Step = {
  name: 'start a manual run',
  weight: 3,
  choices: (walk) => {
    const keys = Object.keys(walk.model.graph)
    // the service knows stacks by the graphs that were uploaded
    if (!walk.model.runs.some(({ upload }) => upload !== undefined)) return []
    return [keys, keys.slice(0, 1), keys.slice(-2)].map(
      (some, index): Choice => ({
        key: String(index),
        take: () => start(walk, some),
      }),
    )
  },
}

const start = async (walk: Walk, keys: readonly string[]): Promise<void> => {
  const sha = 'e'.repeat(40)
  const draft = structuredClone(walk.model)
  const isLocked = keys.some((key) => lockOf(draft, key).state !== 'free')
  const body = { repo: fullNameOf(walk.repository), sha, mode: 'apply', trigger: 'manual', stacks: keys }
  const answer = await askAsKey(walk, '/v1/runs', body)
  // an instance that was killed before it answered may have begun it: the same again then finds its locks
  const isBegun = !isLocked && answer.isRepeated && answer.status === 423
  if (!isBegun) expectAnswer(walk, 'a manual run', answer, isLocked ? { status: 423, code: 'locked' } : { status: 201 })
  if (isLocked) hearLocked(walk)
  const id = isBegun ? await newestManual(walk) : answer.body.run_id
  if (isBegun || answer.status === 201) beginApply(draft, newManual(draft, id, sha, keys))
  walk.model = draft
}

/** The manual run that the service has and the model has not. */
const newestManual = async (walk: Walk): Promise<string> => {
  const { body } = await askAsKey(walk, `/v1/runs?repo=${fullNameOf(walk.repository)}&mode=apply&open=true`)
  const isKnown = (id: string): boolean => walk.model.runs.some((run) => run.id === id)
  // biome-ignore lint/suspicious/noExplicitAny: an answer of the service
  const begun = body.items.find(({ id, trigger }: any) => trigger === 'manual' && !isKnown(id))
  if (!begun) throw new Error('a manual run finds locks that no run of the model holds')
  return begun.id
}

const manualRuns = (walk: Walk): Run[] => walk.model.runs.filter(({ trigger }) => trigger === 'manual')

const reporting: Step = {
  name: 'report of a manual run',
  weight: 8,
  choices: (walk) =>
    manualRuns(walk).flatMap((run) =>
      Object.entries(run.rows).flatMap(([key, row]) => {
        const isWaiting = isOpen(row) || row.status === 'unknown'
        return (isWaiting ? outcomes : outcomes.slice(2)).map(
          (outcome, index): Choice => ({
            key: `${runName(walk, run)} ${key} ${outcome} ${index}`,
            take: () => reportManual(walk, run, key, outcome),
          }),
        )
      }),
    ),
}

const reportManual = async (walk: Walk, run: Run, key: string, outcome: Outcome): Promise<void> => {
  const draft = structuredClone(walk.model)
  const wanted = report(draft, runOf(draft, run.id), key, outcome, 'key')
  const answer = await askAsKey(walk, `${stackPath(run.id, key)}/result`, resultOf('apply', outcome))
  expectAnswer(walk, `the manual apply of ${key} (${outcome})`, answer, wanted)
  hearResult(walk, run, key, wanted)
  walk.model = draft
}

export const manualSteps: readonly Step[] = [starting, reporting]

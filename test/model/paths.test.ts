import { isDeepStrictEqual } from 'node:util'
import t from 'tap'
import { getShortestPaths, getSimplePaths } from 'xstate/graph'
import { describe } from '#machines/describe.ts'
import { begin, type EventOf, type Kind, restore, type Snapshot, stateOf, transit, versionOf } from '#machines/index.ts'
import { kinds } from '#machines/kinds.ts'
import { applyRun, dispatch, heldRun, lock, type Model, planRun, stackRow } from './models.ts'

/** The events of every path that XState finds; the first is XState's own, for the start. */
const generate = <K extends Kind>(model: Model<K>, paths: typeof getShortestPaths): EventOf<K>[][] => {
  const { machine, open } = kinds[model.kind]
  const found = paths(machine as unknown as typeof kinds.run.machine, {
    input: open(model.input) as never,
    events: model.events as never[],
    serializeState: ({ value, context }) => JSON.stringify([value, model.tells(context as never)]),
    limit: 100_000,
  })
  return found.map(({ steps }) => steps.slice(1).map(({ event }) => event as never))
}

/** To every state along its shortest path, and then each event once from there: every transition is taken. */
const everyTransition = <K extends Kind>(model: Model<K>): EventOf<K>[][] =>
  generate(model, getShortestPaths).flatMap((path) => model.events.map((event) => [...path, event]))

const everySimplePath = <K extends Kind>(model: Model<K>): EventOf<K>[][] => generate(model, getSimplePaths)

const throughTheDatabase = <K extends Kind>(kind: K, snapshot: Snapshot<K>): Snapshot<K> =>
  restore(kind, { version: versionOf[kind], ...JSON.parse(JSON.stringify(snapshot)) })

/** Takes one path and returns everything that is wrong on it. */
const walk = <K extends Kind>(model: Model<K>, path: EventOf<K>[], visited: Set<string>): string[] => {
  const { kind } = model
  const armed = new Set<string>()
  const wrong: string[] = []
  let snapshot = begin(kind, model.input)
  let stored = snapshot
  for (const event of path) {
    const before = snapshot
    const kept = JSON.stringify(before)
    const then = transit(kind, before, event)
    for (const { type, params } of then.actions) {
      if (type === 'scheduleTimer') armed.add(params.name)
      if (type === 'cancelTimer') armed.delete(params.name)
    }
    snapshot = then.snapshot
    stored = transit(kind, throughTheDatabase(kind, stored), event).snapshot
    const again = transit(kind, snapshot, event)
    const found = [
      ...model.broken({ before, event, then, armed }),
      then.refusal && (then.snapshot !== before || then.actions.length > 0) && 'a refusal did something',
      then.changed !== (JSON.stringify(snapshot) !== kept) && 'changed is wrong',
      JSON.stringify(before) !== kept && 'the earlier snapshot was modified',
      !isDeepStrictEqual(stored, snapshot) && 'replayed through the database it is different',
      again.changed && !model.repeatable.includes(event.type) && 'the same event changed something again',
    ]
    for (const words of found) if (words) wrong.push(`${words}: ${path.map(({ type }) => type).join(', ')}`)
    visited.add(stateOf(snapshot))
  }
  return wrong
}

const check = <K extends Kind>(
  model: Model<K>,
  title: string,
  paths: EventOf<K>[][],
  unreached: string[] = [],
): void => {
  t.test(`${model.title}: ${title} keeps the invariants`, async (t) => {
    const visited = new Set([stateOf(begin(model.kind, model.input))])
    const wrong = paths.flatMap((path) => walk(model, path, visited))
    t.same([...new Set(wrong)].slice(0, 5), [], `${paths.length} paths`)
    const states = describe(model.kind).states.filter((state) => !state.initial)
    const missed = states.map(({ name }) => name).filter((name) => !visited.has(name))
    t.same(missed, unreached, 'they reach every state')
  })
}

const notInPlans = ['applying.running', 'applying.holding', 'applying.draining', 'applying.superseding', 'applied']
const notInApplies = ['planning', 'planned', 'applying.holding']
const runs = [
  { model: planRun(1, 1), unreached: notInPlans },
  { model: applyRun(false, 2, 1), unreached: notInApplies },
  { model: applyRun(true, 1, 1), unreached: notInApplies },
  { model: heldRun(2, 1), unreached: ['planning', 'planned'] },
]
for (const { model, unreached } of runs) check(model, 'every transition', everyTransition(model), unreached)
check(planRun(1), 'every simple path', everySimplePath(planRun(1)), notInPlans)
check(applyRun(false, 2), 'every simple path', everySimplePath(applyRun(false, 2)), notInApplies)

for (const mode of ['plan', 'drift', 'apply'] as const) {
  const model = stackRow(mode)
  const unreached = mode === 'apply' ? ['planning', 'planned'] : ['applying', 'applied']
  check(model, 'every transition', everyTransition(model), unreached)
  check(model, 'every simple path', everySimplePath(model), unreached)
}

check(lock, 'every transition', everyTransition(lock))
check(dispatch, 'every transition', everyTransition(dispatch))
check(dispatch, 'every simple path', everySimplePath(dispatch))

for (const kind of ['run', 'stack', 'lock', 'dispatch'] as const) {
  t.test(`every state of a ${kind} that is not final waits for something`, async (t) => {
    const { states } = describe(kind)
    const ways = (name: string) =>
      states.filter((state) => name === state.name || name.startsWith(`${state.name}.`)).flatMap((state) => state.on)
    for (const { name, final, initial } of states)
      if (!final && !initial)
        t.ok(
          ways(name).some(({ target }) => target),
          name,
        )
  })
}

import { newsOfPull } from '../host/news.ts'
import { type HostPull, newSha } from '../host/records.ts'
import { learn, pullOf } from '../model/pulls.ts'
import { type Choice, changed, deliver, likelier, type Step, type Walk } from '../walk.ts'

/* What people do with pull requests on the code host's pages. The news of it comes, comes twice, or comes much later. */

const mostPulls = 3

/** A pull request at the code host; the model's number is its own. */
const hostPull = (walk: Walk, number: number): HostPull => {
  const pull = walk.repository.pulls.get(number)
  if (!pull) throw new Error(`there is no pull request ${number}`)
  return pull
}

const pullsThat = (walk: Walk, state: string): number[] =>
  Object.values(walk.model.pulls)
    .filter((pull) => pull.state === state)
    .map(({ number }) => number)

/** One in five news does not come now. */
const hear = async (walk: Walk, number: number, action: string): Promise<void> => {
  if (walk.dice(5) === 0) {
    walk.unheard.add(number)
    return
  }
  await deliver(walk, newsOfPull(walk.repository, hostPull(walk, number), action))
  walk.model = changed(walk.model, (model) => learn(model, number))
}

const opening: Step = {
  name: 'open a pull request',
  weight: likelier(({ model }) => Object.keys(model.pulls).length === 0, 50, 2),
  choices: (walk) => {
    const count = Object.keys(walk.model.pulls).length
    if (count >= mostPulls) return []
    return [{ key: String(count), take: () => openPull(walk) }]
  },
}

const openPull = async (walk: Walk): Promise<void> => {
  const { repository } = walk
  repository.lastNumber += 1
  const number = repository.lastNumber
  const sha = newSha()
  repository.pulls.set(number, { number, state: 'open', mergedAt: null, headSha: sha, headRef: `change-${number}` })
  walk.model = changed(walk.model, (model) => {
    model.pulls[number] = { number, state: 'open', sha }
  })
  await hear(walk, number, 'opened')
}

/** By its place among the walk's: its number differs from run to run. */
const nameOf = (walk: Walk, number: number): string => String(Object.keys(walk.model.pulls).indexOf(String(number)))

type Turn = {
  state: string
  action: string
  weight: Step['weight']
  isPossible?(walk: Walk, number: number): boolean
  turn(pull: HostPull): void
  next: 'open' | 'closed' | 'merged'
}

/** Its graph becomes the default branch's, and one with a cycle would be in the way of all later walks. */
const hasNoCycle = ({ model }: Walk, number: number): boolean =>
  model.runs.every(({ pull, upload }) => pull !== number || upload?.name !== 'cycle')

const turning = (name: string, { state, action, weight, turn, next, isPossible = () => true }: Turn): Step => ({
  name,
  weight,
  choices: (walk) =>
    pullsThat(walk, state)
      .filter((number) => isPossible(walk, number))
      .map((number) => ({
        key: nameOf(walk, number),
        take: async () => {
          turn(hostPull(walk, number))
          walk.model = changed(walk.model, (model) => {
            Object.assign(pullOf(model, number), { state: next, sha: hostPull(walk, number).headSha })
          })
          await hear(walk, number, action)
        },
      })),
})

const late: Step = {
  name: 'late news',
  weight: 4,
  choices: (walk) =>
    [...walk.unheard].map((number): Choice => ({ key: nameOf(walk, number), take: () => deliverLate(walk, number) })),
}

/** What was lost is delivered again. */
export const deliverLate = async (walk: Walk, number: number): Promise<void> => {
  walk.unheard.delete(number)
  await deliver(walk, newsOfPull(walk.repository, hostPull(walk, number), 'synchronize'))
  walk.model = changed(walk.model, (model) => learn(model, number))
}

const close = (pull: HostPull): void => {
  pull.state = 'closed'
}

const isApplying = ({ model }: Walk): boolean => model.runs.some(({ status }) => status === 'applying')

export const pullSteps: readonly Step[] = [
  opening,
  turning('push', {
    ...{ state: 'open', action: 'synchronize', weight: likelier(isApplying, 5, 2), next: 'open' },
    turn: (pull) => {
      pull.headSha = newSha()
    },
  }),
  turning('close', {
    ...{ state: 'open', action: 'closed', weight: likelier(isApplying, 3, 1), next: 'closed' },
    turn: close,
  }),
  turning('merge', {
    ...{ state: 'open', action: 'closed', weight: likelier(isApplying, 3, 1), next: 'merged', isPossible: hasNoCycle },
    turn: (pull) => {
      close(pull)
      pull.mergedAt = new Date().toISOString()
    },
  }),
  turning('reopen', {
    ...{ state: 'closed', action: 'reopened', weight: 3, next: 'open' },
    turn: (pull) => {
      pull.state = 'open'
    },
  }),
  late,
]

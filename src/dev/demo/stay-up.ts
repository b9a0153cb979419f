import { createInterface } from 'node:readline'
import { type DemoChange, demoChanges } from '../demo-changes.ts'
import type { Place } from './place.ts'
import type { Stage } from './stage.ts'
import type { Teller } from './teller.ts'

type Change = keyof typeof demoChanges

/** Opens one of the pull requests that the scenes left over at each Enter. Ends with the process. */
export const stayUp = (place: Place, stage: Stage, teller: Teller): void => {
  teller.say(apiHint(place, stage))
  const waiting = leftOver(stage)
  let isBusy = false
  const openNext = async (): Promise<void> => {
    const next = waiting.shift()
    if (next === undefined) return
    teller.title(`barbara opens another pull request: ${demoChanges[next].title}`)
    const { problem } = await stage.plan(next, 'barbara')
    if (problem !== undefined) teller.problem(problem)
  }
  invite(waiting, teller)
  createInterface({ input: process.stdin }).on('line', () => {
    if (isBusy) return
    isBusy = true
    openNext()
      .catch((error) => teller.problem(error instanceof Error ? error.message : String(error)))
      .finally(() => {
        isBusy = false
        invite(waiting, teller)
      })
  })
}

const apiHint = ({ serviceUrl, apiKey }: Place, stage: Stage): string => {
  const id = stage.played().at(-1)?.seen.run?.id
  return id === undefined ? '' : `Its API: curl -sH 'Authorization: Bearer ${apiKey}' ${serviceUrl}/v1/runs/${id}`
}

/** One change a branch: a second would be a push, which is a scene of its own. */
const leftOver = (stage: Stage): Change[] => {
  const branchOf = (change: Change): string => (demoChanges[change] satisfies DemoChange).branch
  const taken = new Set(stage.played().map(({ change }) => branchOf(change)))
  const changes = Object.keys(demoChanges) as Change[]
  return changes.filter((change) => {
    const isFree = !taken.has(branchOf(change))
    taken.add(branchOf(change))
    return isFree
  })
}

const invite = ([next]: Change[], teller: Teller): void => {
  const more = next === undefined ? '' : `Enter opens another pull request ('${demoChanges[next].title}'). `
  teller.say(`\nEverything stays up. ${more}Ctrl-C ends it and removes all that it made.`)
}

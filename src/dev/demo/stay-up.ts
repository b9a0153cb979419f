import { createInterface } from 'node:readline'
import { findCommand } from '#domain/comments/comment-command.ts'
import { type DemoChange, demoChanges } from '../demo-changes.ts'
import { approve, approvingDeployments, command } from './people.ts'
import type { Change, Stage } from './stage.ts'
import type { Teller } from './teller.ts'

/**
 * Carries out what is typed, a line at a time: opens the changes that the scenes left over, comments, approves, merges. Ends
 * with the process.
 */
export const stayUp = (stage: Stage, teller: Teller): void => {
  teller.say(apiHint(stage))
  const waiting = leftOver(stage)
  const act = async (line: string): Promise<void> => {
    const current = stage.played().at(-1)?.change
    if (line === '') return openNext(waiting.shift(), stage, teller)
    if (current === undefined) throw new Error('no pull request is open yet')
    if (line === 'approve') return approve(stage, current, reviewerOf(stage, current))
    if (line === 'merge') return merge(stage, current)
    return say(stage, current, line)
  }
  let busy = Promise.resolve()
  const invite = (): void => teller.say(invitation(waiting, stage))
  teller.say('\nEverything stays up. Ctrl-C ends it and removes everything it made.')
  invite()
  createInterface({ input: process.stdin }).on('line', (line) => {
    busy = busy
      .then(() => act(line.trim()))
      .catch((error) => teller.problem(error instanceof Error ? error.message : String(error)))
      .then(invite)
  })
}

const openNext = async (next: Change | undefined, stage: Stage, teller: Teller): Promise<void> => {
  if (next === undefined) return
  teller.title(`barbara opens another pull request: ${demoChanges[next].title}`)
  const { problem } = await stage.plan(next, 'barbara')
  if (problem !== undefined) teller.problem(problem)
}

const authorOf = (stage: Stage, change: Change): string => stage.pull(change).now().author.login

/** Nobody approves their own pull request. */
const reviewerOf = (stage: Stage, change: Change): string => (authorOf(stage, change) === 'ada' ? 'grace' : 'ada')

const merge = async (stage: Stage, change: Change): Promise<void> => {
  await stage.pull(change).merge()
  stage.tell(`#${stage.pull(change).number} is merged`)
}

/** Comments as the author of the pull request, and follows the run that the comment begins. */
const say = async (stage: Stage, change: Change, text: string): Promise<void> => {
  const read = findCommand(text)
  if (read === undefined) throw new Error(`'${text}' is not a command: type 'svc help', 'approve' or 'merge'`)
  const { reactions } = await command(stage, change, text, authorOf(stage, change))
  if (!reactions.includes('rocket')) return
  const mode = read.verb === 'apply' ? 'apply' : 'plan'
  const sha = stage.pull(change).headSha()
  const notRunId = stage.played().findLast(({ followed }) => followed.sha === sha && followed.mode === mode)
    ?.followed.runId
  const run = { mode, ...(notRunId === undefined ? {} : { notRunId }) } as const
  const { problem } = await stage.watch(change, run, { meanwhile: approvingDeployments(stage, 'margaret') })
  if (problem !== undefined) throw new Error(problem)
}

const apiHint = (stage: Stage): string => {
  const { serviceUrl, apiKey } = stage.place
  const id = stage.played().at(-1)?.seen.run?.id
  return id === undefined ? '' : `Its API: curl -sH 'Authorization: Bearer ${apiKey}' ${serviceUrl}/v1/runs/${id}`
}

/** One change a branch: a second would be a push, which is a separate scene. */
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

const invitation = ([next]: Change[], stage: Stage): string => {
  const current = stage.played().at(-1)?.change
  const words =
    current === undefined
      ? []
      : [`'svc help', 'approve', 'svc apply' or 'merge' acts on #${stage.pull(current).number}`]
  const more = next === undefined ? [] : [`Enter alone opens another pull request ('${demoChanges[next].title}')`]
  return [...words, ...more].join('; ')
}

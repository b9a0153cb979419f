import { setTimeout as wait } from 'node:timers/promises'
import { news } from './news.ts'
import { type Followed, isSettled, type Observation, observe } from './observe.ts'

/** Gives up when nothing happens for this long: a job of the demo takes seconds. */
const stallSeconds = 60
/** While no workflow runs, only the service is left to wait for: its last updates, or its next wave. */
const lastWordsSeconds = 20

export type Follow = {
  /** The last look. */
  last: Observation
  /** Why it was given up; nothing if the awaited state came. */
  problem: string | undefined
}

export type FollowOptions = {
  /** By default: until the run has ended and the code host shows it. */
  until?: (seen: Observation) => boolean
  /** What a person does about each look. */
  meanwhile?: (seen: Observation) => void
}

/**
 * Watches a run and reports what happens, until `until` holds. A look costs one small request, so it looks often; the
 * outcome does not depend on how often.
 */
export const follow = async (
  followed: Followed,
  tell: (line: string) => void,
  { until = isSettled, meanwhile }: FollowOptions = {},
): Promise<Follow> => {
  let before: Observation | undefined
  let lastNews = Date.now()
  for (;;) {
    const last = await observe(followed)
    const lines = news(before, last)
    for (const line of lines) tell(line)
    if (until(last)) return { last, problem: undefined }
    meanwhile?.(last)
    if (lines.length > 0) lastNews = Date.now()
    const patience = isIdle(last) ? lastWordsSeconds : stallSeconds
    if (Date.now() - lastNews > patience * 1000) return { last, problem: stalled(last, patience) }
    before = last
    await wait(100)
  }
}

const isIdle = ({ workflows }: Observation): boolean =>
  workflows.length > 0 && workflows.every(({ status }) => status === 'completed')

const stalled = ({ workflows, run, checkRuns }: Observation, patience: number): string => {
  const workflow = workflows.at(-1)
  if (!workflow && !run) return `no workflow started within ${patience} s`
  const ended = workflow?.status === 'completed' ? `, and the workflow has ended (${workflow.conclusion})` : ''
  if (!run) return `no run was registered within ${patience} s${ended}`
  const open = checkRuns.filter(({ status }) => status !== 'completed').map(({ name }) => name)
  const unfinished = open.length > 0 ? `; check runs not completed: ${open.join(', ')}` : ''
  return `nothing happened for ${patience} s while the run was ${run.status}${ended}${unfinished}`
}

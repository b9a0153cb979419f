import type { TimerChange } from '#db/queue/timers.ts'
import { type Action, type ActionOf, isOf } from '#machines/actions.ts'
import type { Actor } from './actor.ts'
import { lockNotice } from './consequences/lock-notices.ts'
import { runJobs } from './consequences/run-jobs.ts'
import type { Draft } from './draft.ts'
import type { Message } from './message.ts'
import { runOf, type Stage } from './stage.ts'
import { type Tell, tellsOf } from './tells.ts'

/**
 * Carries out an action of a transition: as messages to other machines, which are returned, or as rows of the draft. Every
 * sort in the table of actions has its case here, or every action of that sort has: a missing one does not compile.
 */
export const perform = async (
  stage: Stage,
  draft: Draft,
  actor: Actor,
  action: Action,
  message: Message,
): Promise<Tell[]> => {
  if (isOf('tell', action)) return tellsOf(stage, draft, actor, action)
  const run = runOf(stage, actor)
  if (isOf('job', action)) {
    if (run) draft.jobs.push(...runJobs(run, actor, action, message.cause ?? null))
  } else if (isOf('notice', action)) {
    const { entry, job } = actor.kind === 'lock' ? lockNotice(draft, actor, action, { at: stage.at, message }) : {}
    if (entry) draft.audit.push(entry)
    if (job) draft.jobs.push(job)
  } else if (isOf('timer', action)) draft.timers.push(timerChange(actor, action, stage.at))
  else if (isOf('warning', action)) {
    if (run) draft.warnings.push({ runId: run.id, warning: { ...action.params, at: stage.at.toISOString() } })
  } else action satisfies never
  return []
}

const timerChange = ({ kind, id }: Actor, { type, params }: ActionOf<'timer'>, now: Date): TimerChange => {
  const { name } = params
  switch (type) {
    case 'scheduleTimer':
      return { kind, id, name, set: { event: params.event, due_at: new Date(+now + params.seconds * 1000) } }
    case 'cancelTimer':
      return { kind, id, name }
  }
}

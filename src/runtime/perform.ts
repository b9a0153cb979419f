import type { Action } from '#machines/actions.ts'
import type { Actor, RunActor } from './actor.ts'
import type { Draft } from './draft.ts'
import { jobOf } from './effects.ts'
import { addLockNews } from './lock-news.ts'
import type { Message } from './message.ts'
import { runOf, type Stage } from './stage.ts'
import { type Tell, tellsOf } from './tells.ts'

/** Turns an action that a transition asked for into what it is: messages to other machines, a job, a timer, a record. */
export const perform = async (
  stage: Stage,
  draft: Draft,
  actor: Actor,
  action: Action,
  message: Message,
): Promise<Tell[]> => {
  switch (action.type) {
    case 'tellRun':
    case 'tellLock':
    case 'startStacks':
    case 'startWave':
    case 'supersedeStacks':
    case 'blockDependents':
    case 'skipRest':
    case 'tellOpenStacks':
    case 'finishRun':
      return tellsOf(stage, draft, actor, action)
    case 'scheduleTimer': {
      const { name, event, seconds } = action.params
      const due = new Date(+stage.at + seconds * 1000)
      draft.timers.push({ kind: actor.kind, id: actor.id, name, set: { event, due_at: due } })
      return []
    }
    case 'cancelTimer':
      draft.timers.push({ kind: actor.kind, id: actor.id, name: action.params.name })
      return []
    case 'addWarning': {
      const run = runOf(stage, actor)
      if (run) draft.warnings.push({ runId: run.id, warning: { ...action.params, at: stage.at.toISOString() } })
      return []
    }
    case 'auditUnlock':
    case 'commentUnlocked':
    case 'warnOrphaned':
    case 'remindHolder':
      if (actor.kind === 'lock') addLockNews(draft, actor, action, { at: stage.at, message })
      return []
    default: {
      const run = runOf(stage, actor)
      if (run && !isUnshown(run, action)) draft.jobs.push(jobOf(run, actor, action, message.cause ?? null))
      return []
    }
  }
}

/** A check for drift belongs to no pull request: nothing of it is shown at the code host. */
const isUnshown = (run: RunActor, { type }: Action): boolean =>
  (type === 'publishRun' || type === 'publishStack') && run.row.mode === 'drift'

import { z } from 'zod'
import { sql } from '#db/sql.ts'
import { until } from '#test/helpers/until.ts'
import type { Dispatch, Run } from '../model/model.ts'
import { runOf } from '../model/model.ts'
import { giveUp, lose, resend, sendDue } from '../model/waves.ts'
import { askAsKey, type Choice, changed, type Step, type Walk } from '../walk.ts'
import { startedFor } from './apply-steps.ts'
import { runName } from './plan-steps.ts'

/* Time passes for one machine: a timer of it is due. */

type Timer = { kind: 'run' | 'lock' | 'dispatch'; id: string; name: string }

/** Makes a timer due, and waits until it has rung. That it is there is part of what is checked. */
export const ring = async (walk: Walk, timer: Timer): Promise<void> => {
  const { pool } = walk.place
  const own = sql.fragment`kind = ${timer.kind} and id = ${timer.id} and name = ${timer.name}`
  const { rowCount } = await pool.query(sql.unsafe`update timers set due_at = now() - interval '1 s' where ${own}`)
  if (rowCount !== 1) walk.broken.push(`the timer ${timer.name} of ${timer.kind} ${timer.id} is not there`)
  await until(async () => {
    const due = sql.type(z.object({ due: z.boolean() }))`
      select exists (select from timers where ${own} and due_at <= now()) as due`
    return !(await pool.oneFirst(due))
  })
}

type Open = { run: Run; index: number; dispatch: Dispatch; name: string }

const open = (walk: Walk, state: Dispatch['state']): Open[] =>
  walk.model.runs.flatMap((run) =>
    run.dispatches.flatMap((dispatch, index) =>
      dispatch.state === state ? [{ run, index, dispatch, name: `${runName(walk, run)}.${index}` }] : [],
    ),
  )

const dispatchId = async (walk: Walk, { run, dispatch }: Open): Promise<string> => {
  const { body } = await askAsKey(walk, `/v1/runs/${run.id}/dispatches`)
  return body.items.find(({ wave }: { wave: number }) => wave === dispatch.wave)?.id ?? ''
}

type Passing = { state: Dispatch['state']; timer: string; weight: number; after: 'resend' | 'give up' }

const passing = (name: string, { state, timer, weight, after }: Passing): Step => ({
  name,
  weight,
  choices: (walk) =>
    open(walk, state).map(
      (one): Choice => ({
        key: one.name,
        take: async () => {
          const { run, index, dispatch } = one
          const found = startedFor(walk, run, dispatch).find(({ isUnlisted }) => !isUnlisted)
          const started = found && { ...found, isCompleted: found.status === 'completed' }
          await ring(walk, { kind: 'dispatch', id: await dispatchId(walk, one), name: timer })
          walk.model = changed(walk.model, (model) => {
            const own = runOf(model, run.id)
            const sent = own.dispatches[index]
            if (!sent) return
            if (after === 'give up') giveUp(model, own, sent)
            else resend(model, own, sent, started)
            sendDue(model)
          })
        },
      }),
    ),
})

const reminding: Step = {
  name: 'a holder is reminded',
  weight: 0.5,
  choices: (walk) =>
    Object.entries(walk.model.locks)
      .filter(([, { state }]) => state !== 'free')
      .map(
        ([key]): Choice => ({
          key,
          take: () => ring(walk, { kind: 'lock', id: walk.stackIds[key] ?? '', name: 'reminder' }),
        }),
      ),
}

const waiting: Step = {
  name: 'the caller of a manual run stays away',
  weight: 2,
  choices: (walk) =>
    walk.model.runs
      .filter(({ trigger, status }) => trigger === 'manual' && status === 'applying')
      .map(
        (run): Choice => ({
          key: runName(walk, run),
          take: async () => {
            await ring(walk, { kind: 'run', id: run.id, name: 'caller' })
            walk.model = changed(walk.model, (model) => {
              const own = runOf(model, run.id)
              const out = Object.keys(own.rows).filter((key) => own.rows[key]?.status === 'applying')
              lose(model, own, out)
            })
          },
        }),
      ),
}

export const timeSteps: readonly Step[] = [
  passing('a dispatch is sent again', { state: 'refused', timer: 'resend', weight: 8, after: 'resend' }),
  passing('a dispatch is given up', { state: 'refused', timer: 'deadline', weight: 4, after: 'give up' }),
  passing('nobody picks a dispatch up', { state: 'awaiting', timer: 'pickup', weight: 3, after: 'give up' }),
  reminding,
  waiting,
]

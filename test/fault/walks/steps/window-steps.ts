import { withinWindow } from '../host/records.ts'
import { runOf } from '../model/model.ts'
import { goOn } from '../model/runs.ts'
import { sendDue } from '../model/waves.ts'
import { type Choice, changed, likelier, type Step, type Walk } from '../walk.ts'
import { finishing, reporting } from './apply-steps.ts'
import { runName } from './plan-steps.ts'
import { ring } from './time-steps.ts'

/* A window that holds waves is in the way while something happens. It does not last from step to step: the gate would refuse all else. */

/** What the service asks meanwhile is answered meanwhile. */
const inside = async (walk: Walk, take: Choice['take']): Promise<void> => {
  const freeze = (isFrozen: boolean): void => {
    walk.model = changed(walk.model, (model) => {
      model.isFrozen = isFrozen
    })
  }
  freeze(true)
  await withinWindow(walk.repository, async () => {
    await take()
    await walk.place.quiet.settled(walk.repository.installationId)
  })
  freeze(false)
}

/** An apply that asks before its later waves. */
const isGoingOn = ({ model, repository }: Walk): boolean =>
  repository.hasWindow &&
  model.runs.some(
    ({ trigger, status, rows }) =>
      trigger === 'comment' && status === 'applying' && Object.values(rows).some((row) => row.status === 'pending'),
  )

const ending: Step = {
  name: 'results come inside of a window',
  weight: likelier(isGoingOn, 20, 1),
  choices: (walk) =>
    walk.repository.hasWindow
      ? [...finishing.choices(walk), ...reporting.choices(walk)].map(
          ({ key, take }): Choice => ({ key, take: () => inside(walk, take) }),
        )
      : [],
}

const askingAgain: Step = {
  name: 'a wave that is held is asked for again',
  weight: likelier(({ model }) => model.runs.some(({ holding }) => holding), 12, 1),
  choices: (walk) =>
    walk.model.runs
      .filter(({ holding }) => holding)
      .flatMap((run): Choice[] => {
        const take = () => ask(walk, run.id)
        const name = runName(walk, run)
        return [
          { key: name, take },
          { key: `${name} inside of the window`, take: () => inside(walk, take) },
        ]
      }),
}

const ask = async (walk: Walk, runId: string): Promise<void> => {
  await ring(walk, { kind: 'run', id: runId, name: 'window' })
  walk.model = changed(walk.model, (model) => {
    goOn(model, runOf(model, runId))
    sendDue(model)
  })
}

export const windowSteps: readonly Step[] = [ending, askingAgain]

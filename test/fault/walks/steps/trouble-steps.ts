import type { HostFault } from '../host/records.ts'
import type { DispatchFault } from '../model/model.ts'
import { changed, type Step } from '../walk.ts'

/* What goes wrong around the service: its code host, and its instances. */

const dispatchFaults: Readonly<Record<DispatchFault, HostFault['effect']>> = {
  refused: { status: 422, message: 'No ref found for: main' },
  unanswered: 'lost',
  unlisted: 'unlisted',
}

const dispatching: Step = {
  name: 'the next dispatch goes wrong',
  weight: 2,
  choices: (walk) =>
    walk.model.fault
      ? []
      : (['refused', 'unanswered', 'unlisted'] as const).map((fault) => ({
          key: fault,
          take: async () => {
            walk.repository.faults.push({ method: 'POST', path: /dispatches$/, effect: dispatchFaults[fault] })
            walk.model = changed(walk.model, (model) => {
              model.fault = fault
            })
          },
        })),
}

/** Reads are tried again, and what shows a run is shown again: none of these may change anything. */
const harmless: readonly (HostFault & { name: string })[] = [
  { name: 'pull 502', method: 'GET', path: /^pulls\/\d+$/, effect: { status: 502, message: 'Bad gateway' } },
  { name: 'pull lost', method: 'GET', path: /^pulls\/\d+$/, effect: 'lost' },
  { name: 'permission 500', method: 'GET', path: /^collaborators/, effect: { status: 500, message: 'Oops' } },
  { name: 'policy 503', method: 'GET', path: /^contents/, effect: { status: 503, message: 'Unavailable' } },
  { name: 'run lost', method: 'GET', path: /^actions\/runs/, effect: 'lost' },
  { name: 'runs 502', method: 'GET', path: /^actions\/workflows/, effect: { status: 502, message: 'Bad gateway' } },
  { name: 'check run lost', method: 'POST', path: /^check-runs/, effect: 'lost' },
]

const asking: Step = {
  name: 'a request to the code host goes wrong',
  weight: 1.5,
  choices: (walk) =>
    walk.repository.faults.length > 1
      ? []
      : harmless.map(({ name, ...fault }) => ({
          key: name,
          take: async () => {
            walk.repository.faults.push(fault)
          },
        })),
}

/** A kill is felt by all walks that are under way: one in many steps is one. */
const killing: Step = {
  name: 'kill an instance',
  weight: 0.02,
  choices: (walk) =>
    [0, 1].map((index) => ({
      key: String(index),
      take: async () => {
        void walk.place.instances.kill(index).catch((error: Error) => walk.broken.push(error.message))
      },
    })),
}

export const troubleSteps: readonly Step[] = [dispatching, asking, killing]

import type { RequestEffect } from '#emulator/faults/fault.ts'
import { random } from '#test/helpers/random.ts'
import type { Life } from './life.ts'

/** One in so many. */
const odds = { webhooks: 15, vanishing: 10, requests: 60 }

const effects: readonly RequestEffect[] = ['drop-before', 'drop-after', 'truncate', { status: 502 }]

/**
 * Constant trouble between the service and its code host: deliveries come twice, late or, if a comparison can make up for
 * them, not at all; requests and answers get lost. Returns how to end it.
 */
export const roughWeather = ({ github }: Life, seed: number): (() => void) => {
  const pick = random(seed + 1)
  const oneIn = (count: number) => (): boolean => pick(count) === 0
  const faults = [
    github.faults.add({ kind: 'webhook', effect: 'double', where: oneIn(odds.webhooks) }),
    github.faults.add({ kind: 'webhook', effect: { behind: 3 }, where: oneIn(odds.webhooks) }),
    github.faults.add({ kind: 'webhook', event: 'workflow_run', effect: 'vanish', where: oneIn(odds.vanishing) }),
    ...effects.map((effect) =>
      github.faults.add({ kind: 'request', effect, where: oneIn(odds.requests * effects.length) }),
    ),
  ]
  return () => {
    for (const fault of faults) fault.remove()
  }
}

import { type ActionName, actions, type ParamsOf, type Refusal } from './actions.ts'

type Named = {
  [N in ActionName]: (_: unknown, params: ParamsOf<N> extends Record<string, never> ? undefined : ParamsOf<N>) => void
}

export type NamedAction = { [N in ActionName]: { type: N; params: Parameters<Named[N]>[1] } }[ActionName]

/**
 * The table of actions in the form that XState wants in `setup`: names with typed parameters, and nothing behind them to run.
 */
export const named = Object.fromEntries(Object.keys(actions).map((name) => [name, () => {}])) as unknown as Named

/** The one action that never leaves a transition: it turns it into a refusal (see transit.ts). */
export const refuse = (_: unknown, _params: Refusal): void => {}

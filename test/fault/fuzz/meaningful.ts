import type { CallerName } from './callers.ts'
import type { Dice } from './dice.ts'
import type { Place } from './places.ts'

/** Makes the fields of a body that the service acts on, of what is there. */
type Recipe = (place: Place, dice: Dice, caller: CallerName) => Record<string, unknown>

const summary = { adds: 1, changes: 0, destroys: 0, replaces: 0 }

const recipes: Readonly<Record<string, Recipe>> = {
  'POST /v1/runs': ({ repo, sha, number, keys }, dice, caller) =>
    caller === 'key'
      ? {
          repo,
          sha,
          mode: 'apply',
          trigger: 'manual',
          stacks: [dice.one(keys)],
          pr_number: undefined,
          run_id: undefined,
        }
      : { repo, sha, mode: 'plan', pr_number: number, run_id: undefined, trigger: undefined, stacks: undefined },
  'POST /v1/runs/{id}/graph': ({ repo, sha, keys }, dice) => ({
    graph: {
      repo,
      sha,
      tree_hash: `tree ${dice.below(5)}`,
      stacks: keys.map((key) => ({ key, path: key })),
      modules: [],
      edges: [],
    },
    ...{
      config: { version: 1, tool: 'terraform' },
      stacks: keys,
      changed_paths: [`${dice.one(keys)}/main.tf`],
      base_sha: undefined,
    },
  }),
  'POST /v1/runs/{id}/stacks/{key}/result': (_place, dice, caller) => ({
    ...{
      mode: caller === 'key' ? 'apply' : 'plan',
      status: dice.one(['success', 'success', 'failure', 'error']),
      unconfirmed: undefined,
    },
    ...(dice.percent(50) ? { exit_code: 2, has_changes: true, summary } : { exit_code: 0, has_changes: false }),
  }),
  'POST /v1/runs/{id}/stacks/{key}/checks/{name}': (_place, dice) => ({ status: dice.one(['pass', 'warn', 'fail']) }),
  'POST /v1/runs/{id}/gate': (_place, dice) => ({
    config: dice.one(['version: 1', 'version: 1\napply: { approvals: 0, teams: [sre] }', 'version: 1\napply: [']),
  }),
  'POST /v1/unlock': ({ repo, keys }, dice) => ({ repo, stack_key: dice.one(keys) }),
}

/** Those fields for a route; undefined for a route that acts on no field. Absent ones must not be sent. */
export const meaningful = (
  route: string,
  { place, dice, caller }: { place: Place; dice: Dice; caller: CallerName },
): Record<string, unknown> | undefined => recipes[route]?.(place, dice, caller)

import { z } from 'zod'
import { CheckName, CommandLine, does, Glob, type ObjectOf, Team } from './config-values.ts'
import { rulesKey } from './rule-keys.ts'
import { windowsKey } from './window-keys.ts'

const askedOfAll = {
  mode: z
    .enum(['comment', 'on_merge', 'off'])
    .default('comment')
    .meta(
      does(
        'How pull requests are applied: by a comment, when they are merged, or not at all (API keys only).',
        'on_merge',
      ),
    ),
  approvals: z
    .int()
    .min(0)
    .max(100)
    .default(1)
    .meta(does("Approvals of the head commit by people with push permission; the author's does not count.", 2)),
  code_owners: z
    .boolean()
    .default(false)
    .meta(does('Whether an owner of every changed path must have approved the head commit (CODEOWNERS).', true)),
  four_eyes: z
    .boolean()
    .default(false)
    .meta(does('Whether somebody other than the author must ask for the apply.', true)),
  last_push: z
    .boolean()
    .optional()
    .meta(
      does(
        'Whether the person who pushed the head is kept from counting as its reviewer and, with `four_eyes`, from asking for the apply. As `four_eyes` says unless it is given.',
        true,
      ),
    ),
  base_branches: z
    .array(Glob)
    .min(1)
    .max(50)
    .optional()
    .meta(
      does(
        'The branches that a pull request may be applied into, as globs; only the default branch unless it is given. `*` stays within a segment, as in `release/*`.',
        ['main', 'release/*'],
      ),
    ),
  mergeable: z
    .boolean()
    .default(true)
    .meta(does('Whether a draft, a conflict with the base, or a branch behind its base refuses the apply.', false)),
  teams: z
    .array(Team)
    .max(50)
    .default([])
    .meta(
      does('The person who asks must be a member of one of these teams. Without any, push permission suffices.', [
        'platform',
      ]),
    ),
  checks: z
    .array(CheckName)
    .max(50)
    .default([])
    .meta(
      does(
        'Checks that must have a verdict on every stack. A failed verdict refuses the apply, whether its check is listed here or not.',
        ['policy'],
      ),
    ),
}

/** What an apply needs: the policy that the gate enforces. */
export const applyKeys = (object: ObjectOf) => ({
  ...askedOfAll,
  rules: rulesKey(object),
  windows: windowsKey(object),
})

/** An entry of `checks`: a command that the client runs. */
export const checkKeys = (object: ObjectOf) => ({
  name: CheckName.meta(does('Names the check run `svc/<name>: <key>`, and the check in `apply.checks`.', 'policy')),
  run: CommandLine.meta(
    does(
      "Run at the repository's root once for each stack; exit status 0 passes. `SVC_PLAN_JSON` names the plan's JSON, `SVC_STACK` the stack.",
      'conftest test "$SVC_PLAN_JSON"',
    ),
  ),
  on: z.enum(['plan', 'apply']).default('plan').meta(does('The step that it runs after.', 'apply')),
  before: z
    .literal('plan')
    .optional()
    .meta(
      does(
        '`plan`: run before the plan, after init, and reported though the plan fails; there is no `SVC_PLAN_JSON` then. For `fmt`, `validate` and linters.',
        'plan',
      ),
    ),
  match: z
    .array(Glob)
    .min(1)
    .optional()
    .meta(does('The stacks that it is for, as globs of their directories or keys; all without it.', ['aws/**'])),
  mode: z
    .enum(['fail', 'warn'])
    .default('fail')
    .meta(does('What a failed command means: a verdict that refuses applies, or a warning.', 'warn')),
  override: object({
    teams: z
      .array(Team)
      .min(1)
      .max(50)
      .meta(
        does(
          'An approval of the head commit by a member of one of these teams, after the verdict, lets an apply through that the check failed.',
          ['budget'],
        ),
      ),
  })
    .optional()
    .meta(does('Who may waive a failed verdict.')),
})

import { z } from 'zod'
import { CheckName, does, Environment, Glob, type ObjectOf, says, Tag, Team } from './config-values.ts'

const mostAddressChars = 300

export const AddressGlob = says(
  {
    title: 'address glob',
    description:
      'the address of a resource as plans show it, with or without its modules, and with or without indexes: without one all of `count` and `for_each` are meant; `*` is any number of any characters: `aws_db_instance.*`, `module.core.*`, `*.main[0]`',
    pattern: '\\S',
    maxLength: mostAddressChars,
  },
  (text) =>
    text.trim() === '' || text.length > mostAddressChars
      ? `expected the address of a resource, or a glob of such, up to ${mostAddressChars} characters`
      : undefined,
)

/** `>0` means more than none, 5 means five or more: a list of addresses that somebody counts begins with one. */
export const Amount = z
  .union(
    [
      z
        .int()
        .min(1)
        .transform((least) => ({ least })),
      z
        .string()
        .regex(/^>\d{1,9}$/)
        .transform((text) => ({ least: Number(text.slice(1)) + 1 })),
    ],
    {
      error: "expected a whole number from 1, which is met by as many or more, or a text such as '>0'",
    },
  )
  .meta({
    title: 'amount',
    description:
      'a whole number from 1, which is met by as many or more, or a text such as `">0"`, which is met by more',
  })

const mostRules = 200
const mostNames = 50

/** One becomes a list of one, so that everyone who reads it finds a list. */
const oneOrMore = <T extends z.ZodType<string, string>>(one: T, title: string) =>
  z.union([one.transform((text) => [text]), z.array(one).min(1).max(mostNames)]).meta({ title: `${title} or list` })

const someOf = <T extends z.ZodType>(one: T) => z.array(one).min(1).max(mostNames).optional()

const whenKeys = {
  destroys: Amount.optional().meta(does('How many resources it destroys.', '>0')),
  replaces: Amount.optional().meta(does('How many resources it replaces.', '>0')),
  changes: Amount.optional().meta(does('How many resources it changes in place.', 20)),
  outputs: Amount.optional().meta(does('How many outputs it changes.', '>0')),
  resources: someOf(AddressGlob).meta(
    does('It adds, changes, destroys or replaces one of these.', ['aws_iam_*', 'module.dns.*']),
  ),
}

/** What a rule asks for. Each is as strict as the strictest of all rules that a stack takes, and of `apply` itself. */
const askedKeys = {
  mode: z
    .enum(['comment', 'on_merge', 'off'])
    .optional()
    .meta(does('As `apply.mode`, for these stacks. `off` goes before `on_merge`, and that before `comment`.', 'off')),
  approvals: z.int().min(0).max(100).optional().meta(does('As `apply.approvals`: the largest number counts.', 2)),
  teams: someOf(Team).meta(does('The person who asks must be a member of one of these teams.', ['platform'])),
  approve_teams: someOf(Team).meta(
    does(
      'A member of one of these teams must have approved the head commit; with `protect`, only where something protected is destroyed or replaced.',
      ['dba'],
    ),
  ),
  code_owners: z.boolean().optional().meta(does('As `apply.code_owners`.', true)),
  four_eyes: z.boolean().optional().meta(does('As `apply.four_eyes`.', true)),
  last_push: z.boolean().optional().meta(does('As `apply.last_push`.', true)),
  checks: someOf(CheckName).meta(does('Checks that must have a verdict on each of these stacks.', ['policy'])),
  protect: someOf(AddressGlob).meta(
    does('Destroying or replacing these is refused without an approval of `approve_teams`.', ['aws_db_instance.*']),
  ),
}

const checkRule = (
  { protect, approve_teams: teams }: { protect?: string[] | undefined; approve_teams?: string[] | undefined },
  context: z.RefinementCtx,
): void => {
  if (protect === undefined || teams !== undefined) return
  const message = 'is missing: expected the teams whose approval lets what `protect` names be destroyed or replaced'
  context.addIssue({ code: 'custom', path: ['approve_teams'], message })
}

/** Of all rules together: each may be lacking on each of thousands of stacks, and is asked for each of the people who count. */
const mostDifferent = 100

type Naming = Partial<Record<'checks' | 'teams' | 'approve_teams', string[] | undefined>>

const checkRules = (rules: readonly Naming[], context: z.RefinementCtx): void => {
  const checks = new Set(rules.flatMap((rule) => rule.checks ?? []))
  const teams = new Set(rules.flatMap((rule) => [...(rule.teams ?? []), ...(rule.approve_teams ?? [])]))
  for (const [what, { size }] of Object.entries({ checks, teams }))
    if (size > mostDifferent)
      context.addIssue({ code: 'custom', message: `name ${size} different ${what}: expected ${mostDifferent} at most` })
}

/** `apply.rules`. */
export const rulesKey = (object: ObjectOf) =>
  z
    .array(
      object({
        name: z
          .string()
          .trim()
          .min(1)
          .max(100)
          .optional()
          .meta({ title: 'text', ...does('What answers call the rule, besides its place in the file.', 'production') }),
        match: oneOrMore(Glob, 'glob')
          .optional()
          .meta(does('The stacks that it is for, as globs of their directories or keys; all without any.', ['aws/**'])),
        environment: oneOrMore(Environment, 'environment')
          .optional()
          .meta(does('It is for stacks that are applied under one of these environments.', 'production')),
        tag: oneOrMore(Tag, 'tag').optional().meta(does('It is for stacks that have one of these tags.', 'critical')),
        when: object(whenKeys)
          .optional()
          .meta(
            does(
              'It is for plans of which all of this holds. What a summary does not say, or a list that was cut might have said, counts as said.',
            ),
          ),
        ...askedKeys,
      }).superRefine(checkRule),
    )
    .max(mostRules)
    .superRefine(checkRules)
    .default([])
    .meta(
      does(
        'What some stacks need besides. A stack takes every rule that matches it, and of each requirement the strictest holds: a rule never loosens anything. Of `match`, `environment`, `tag` and `when`, all that are given must match.',
      ),
    )

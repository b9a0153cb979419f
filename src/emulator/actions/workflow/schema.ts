import { z } from 'zod'

/*
 * The supported part of the workflow syntax, checked in full: a key that isn't here is refused, never ignored, so a workflow
 * doesn't silently run otherwise than on GitHub. Source: docs.github.com, 'Workflow syntax for GitHub Actions'.
 */

const identifier = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_-]*$/, 'must begin with a letter or _ and hold only letters, digits, - and _')

/** Scalars of YAML become text, as they do in GitHub's environment and inputs. */
const text = z.union([z.string(), z.number(), z.boolean(), z.null()]).transform((value) => String(value ?? ''))

const texts = z.record(z.string(), text)

/** A boolean or number, or an expression that yields one. */
const booleanOrExpression = z.union([z.boolean(), z.string()])
const numberOrExpression = z.union([z.number().positive(), z.string()])

const permissions = z.union([
  z.enum(['read-all', 'write-all']),
  z.record(z.string(), z.enum(['read', 'write', 'none'])),
])

const defaults = z.strictObject({
  run: z.strictObject({ shell: z.string().optional(), 'working-directory': z.string().optional() }),
})

const concurrency = z.preprocess(
  (value) => (typeof value === 'string' ? { group: value } : value),
  z.strictObject({ group: z.string().min(1), 'cancel-in-progress': booleanOrExpression.default(false) }),
)

/** The emulator decides which events start the workflow before the engine gets it; the filters are only checked here. */
const pullRequestTrigger = z.preprocess(
  (value) => value ?? {},
  z.strictObject({
    types: z.array(z.string()).min(1).default(['opened', 'synchronize', 'reopened']),
    branches: z.array(z.string()).min(1).optional(),
  }),
)

const mergeGroupTrigger = z.preprocess(
  (value) => value ?? {},
  z.strictObject({
    types: z.array(z.literal('checks_requested')).min(1).optional(),
    branches: z.array(z.string()).min(1).optional(),
  }),
)

const dispatchInput = z.preprocess(
  (value) => value ?? {},
  z.strictObject({
    description: z.string().optional(),
    required: z.boolean().default(false),
    default: text.optional(),
    type: z.enum(['string', 'boolean', 'number', 'choice', 'environment']).default('string'),
    options: z.array(text).optional(),
  }),
)

const dispatchTrigger = z.preprocess(
  (value) => value ?? {},
  z.strictObject({ inputs: z.record(identifier, dispatchInput).default({}) }),
)

/** `on` may be one event, a list of events, or a map; all become the map. */
const triggers = z.preprocess(
  (value) => {
    const names = typeof value === 'string' ? [value] : value
    return Array.isArray(names) ? Object.fromEntries(names.map((name) => [String(name), null])) : names
  },
  z.strictObject({
    pull_request: pullRequestTrigger.optional(),
    merge_group: mergeGroupTrigger.optional(),
    workflow_dispatch: dispatchTrigger.optional(),
  }),
)

const step = z
  .strictObject({
    id: identifier.optional(),
    name: z.string().optional(),
    if: text.optional(),
    run: z.string().min(1).optional(),
    uses: z.string().min(1).optional(),
    with: texts.optional(),
    shell: z.string().optional(),
    env: texts.optional(),
    'working-directory': z.string().optional(),
    'continue-on-error': booleanOrExpression.default(false),
    'timeout-minutes': numberOrExpression.optional(),
  })
  .refine((value) => (value.run === undefined) !== (value.uses === undefined), 'needs one of run and uses')

const matrix = z.union([z.string(), z.record(z.string(), z.union([z.string(), z.array(z.json())]))])

const job = z.strictObject({
  name: z.string().optional(),
  needs: z.preprocess((value) => (typeof value === 'string' ? [value] : value), z.array(identifier).default([])),
  if: text.optional(),
  'runs-on': z.preprocess((value) => (typeof value === 'string' ? [value] : value), z.array(z.string()).min(1)),
  permissions: permissions.optional(),
  environment: z.preprocess(
    (value) => (typeof value === 'string' ? { name: value } : value),
    z.strictObject({ name: z.string(), url: z.string().optional() }).optional(),
  ),
  outputs: texts.default({}),
  env: texts.default({}),
  defaults: defaults.optional(),
  strategy: z
    .strictObject({
      matrix: matrix.optional(),
      'fail-fast': booleanOrExpression.default(true),
      'max-parallel': numberOrExpression.optional(),
    })
    .optional(),
  'timeout-minutes': numberOrExpression.default(360),
  steps: z.array(step).min(1),
})

export const workflowSchema = z.strictObject({
  name: z.string().optional(),
  'run-name': z.string().optional(),
  on: triggers,
  permissions: permissions.optional(),
  env: texts.default({}),
  defaults: defaults.optional(),
  concurrency: concurrency.optional(),
  jobs: z.record(identifier, job).refine((jobs) => Object.keys(jobs).length > 0, 'needs at least one job'),
})

export type Workflow = z.output<typeof workflowSchema>
export type Job = Workflow['jobs'][string]
export type Step = Job['steps'][number]
export type Permissions = z.output<typeof permissions>
export type Matrix = z.output<typeof matrix>

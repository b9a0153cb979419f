import { z } from 'zod'
import { PlanOutput, Tool } from '#domain/graph/graph.ts'
import { limits } from '../limits.ts'
import { applyKeys, checkKeys } from './apply-keys.ts'
import {
  CommandLine,
  Cron,
  does,
  Glob,
  LockWait,
  type ObjectOf,
  ReminderDelay,
  RunnerLabels,
  Team,
  Version,
} from './config-values.ts'
import { stackKeys } from './stack-keys.ts'

/*
 * The schema of svc.yml, once for the file (where an unknown key is a mistake) and once for the `config` object that a client
 * uploads (where it may come from a newer client, and is ignored). Everything has a default; `version: 1` is a whole file. What
 * each key does, and an example, are written beside it: docs/svc-yml.md and the JSON Schema for editors are made of them.
 */

const discoverKeys = {
  include: z
    .array(Glob)
    .default(['**'])
    .meta(does('Directories to look at. A directory named in full is a stack, whatever is in it.', ['aws/**'])),
  exclude: z
    .array(Glob)
    .default([])
    .meta(does('Directories to leave out.', ['examples/**'])),
  command: CommandLine.optional().meta(
    does(
      "Run at the repository's root before a scan; it prints stacks and dependencies that the scan cannot find, as JSON. Only the default branch's command is ever run: docs/discover.md.",
      'node tools/list-stacks.js',
    ),
  ),
}

/** Who may do a thing, besides those whom the code host lets push. */
const teamsThatMay = (what: string) =>
  z
    .array(Team)
    .max(50)
    .default([])
    .meta(
      does(
        `A person who ${what} must be a member of one of these teams. Without any, push permission suffices; API keys need none.`,
        ['platform'],
      ),
    )

const keptForTeams = (object: ObjectOf) => ({
  unlock: object({ teams: teamsThatMay('releases locks, by a comment or over the API,') })
    .prefault({})
    .meta(does('Who may release locks.')),
  rerun: object({ teams: teamsThatMay("runs a plan again, over the API or on the code host's pages,") })
    .prefault({})
    .meta(does('Who may run plans again.')),
})

const planKeys = {
  output: PlanOutput.default('full').meta(
    does('`summary`: no plan text leaves the job or is stored, only counts and addresses.', 'summary'),
  ),
  parallel: z
    .int()
    .min(1)
    .max(limits.matrixJobs)
    .default(10)
    .meta(does('How many jobs of a pull request plan at the same time.', 25)),
  teams: teamsThatMay('comments `svc plan`'),
}

const initKeys = {
  retries: z
    .int()
    .min(0)
    .max(5)
    .default(2)
    .meta(
      does(
        'How often `init` is tried again after an error of the network or a registry, with 5, 15, 45, … seconds between. No other error is tried again.',
        4,
      ),
    ),
}

const driftKeys = {
  schedule: Cron.optional().meta(does('When to check for drift; never by default.', '0 4 * * mon-fri')),
  issues: z.boolean().default(false).meta(does('Whether each drifted stack gets an issue.', true)),
  plan: z
    .boolean()
    .default(false)
    .meta(
      does(
        'Whether that issue has the plan that would mend the drift, too, for all who may read it; each drifted stack gets one then, whatever `issues` says. Nothing is applied.',
        true,
      ),
    ),
}

const locksKeys = {
  remind_after: ReminderDelay.default('24h').meta(
    does(
      'How long a pull request may hold locks before it is reminded of them, and the interval between further reminders.',
      '7d',
    ),
  ),
}

const propagateKeys = {
  cross_repo: z
    .enum(['off', 'plan'])
    .default('off')
    .meta(does('`plan`: after an apply, stacks in other repositories that depend on it are planned.', 'plan')),
}

const checkChecks = (
  checks: { name: string; on: string; before?: string | undefined }[],
  context: z.RefinementCtx,
): void => {
  const known = new Set<string>()
  for (const [i, { name, on, before }] of checks.entries()) {
    if (before !== undefined && on === 'apply')
      context.addIssue({ code: 'custom', path: [i, 'before'], message: 'is for checks of plans: leave out on: apply' })
    if (known.has(name)) context.addIssue({ code: 'custom', path: [i, 'name'], message: `'${name}' is named twice` })
    known.add(name)
  }
}

const schemaOf = (unknownKeys: 'refused' | 'ignored') => {
  const object: ObjectOf = <S extends z.core.$ZodLooseShape>(shape: S) =>
    (unknownKeys === 'refused' ? z.strictObject(shape) : z.object(shape)) as z.ZodObject<S>

  return object({
    version: z.literal(1).meta(does('The version of this format, and the only required key.', 1)),
    tool: (unknownKeys === 'refused' ? Tool.default('terraform') : Tool).meta(
      does(
        'The tool that plans and applies. A directory with files that only OpenTofu reads always uses `tofu`, and one with a `terragrunt.hcl` always `terragrunt`. With `terragrunt` here, other directories are modules and no stacks: docs/terragrunt.md.',
        'tofu',
      ),
    ),
    tool_version: Version.optional().meta(
      does(
        'The version of the tool. Without it, the nearest `.terraform-version`, `.opentofu-version`, `.terragrunt-version` or `.tool-versions` decides, or else `required_version` if it names one version; a change of the file that decides plans the stack. An apply with any other version is refused.',
        '1.11.4',
      ),
    ),
    discover: object(discoverKeys)
      .prefault({})
      .meta(
        does(
          'Which directories are stacks. Among these, a directory is a stack if it has a `backend` or `cloud` block, or if it declares something and is no module (used by path, or below `modules`).',
        ),
      ),
    ignore: z
      .array(Glob)
      .default([])
      .meta(does('Changed paths that affect nothing.', ['**/*.md'])),
    runs_on: RunnerLabels.optional().meta(
      does(
        "The runners that stacks' jobs ask for, by their labels: `matrix.runs_on` in the shipped workflows, which say `ubuntu-latest` without it. For an apply the default branch's word counts.",
        ['self-hosted', 'linux'],
      ),
    ),
    lock_timeout: LockWait.default('5m').meta(
      does('How long the tool waits for the lock of a state that somebody else holds.', '20m'),
    ),
    init: object(initKeys).prefault({}).meta(does('How the tool is prepared.')),
    plan: object(planKeys).prefault({}).meta(does('How plans are made, and how much of them is shown.')),
    stacks: z
      .array(object(stackKeys(object)))
      .prefault([])
      .meta(does('Settings of stacks that their code does not contain.')),
    ...keptForTeams(object),
    apply: object(applyKeys(object)).prefault({}).meta(does('What an apply needs: docs/gate.md.')),
    drift: object(driftKeys)
      .prefault({})
      .meta(does('Checks whether the infrastructure still matches the default branch: docs/drift.md.')),
    locks: object(locksKeys).prefault({}).meta(does('The locks that applies take.')),
    propagate: object(propagateKeys)
      .prefault({})
      .meta(does('What an apply leads to in other repositories: docs/cross-repository.md.')),
    checks: z
      .array(object(checkKeys(object)))
      .superRefine(checkChecks)
      .default([])
      .meta(does('Commands that the client runs on each plan or apply. Each needs a different name.')),
  })
}

export const ConfigFile = schemaOf('refused')
export const UploadedConfig = schemaOf('ignored')

export type RepoConfig = z.infer<typeof ConfigFile>
export type StackEntry = RepoConfig['stacks'][number]
export type InstanceEntry = Exclude<NonNullable<StackEntry['instances']>[string], string>

import { z } from 'zod'
import { cronProblem } from './cron.ts'
import { parseDuration } from './duration.ts'
import { globProblem } from './glob.ts'
import { PlanOutput, Tool } from './graph.ts'
import { isCheckName, isInstanceName, parseQualifiedKey, repositoryPath } from './keys.ts'
import { limits } from './limits.ts'
import { nextTick } from './next-tick.ts'

/*
 * The schema of svc.yml, once for the file (where an unknown key is a mistake) and once for the `config` object that a
 * client uploads (where it may be a newer client's, and is ignored). Everything has a default; `version: 1` is a whole file.
 * Messages are said of the key they stand at, so none repeats it.
 */

const says = (problem: (text: string) => string | undefined) =>
  z.string({ error: textExpected }).superRefine((text, context) => {
    const message = problem(text)
    if (message !== undefined) context.addIssue({ code: 'custom', message })
  })

/** YAML reads `1.10` as the number 1.1 and a bare date as such, so a number where text belongs is told how to write it. */
const textExpected = ({ input }: { input?: unknown }): string | undefined =>
  typeof input === 'number' ? 'expected text, not a number: write it in quotes' : undefined

const Glob = says(globProblem)

/** As the tool is given it: relative to the stack's directory. One that leads out of the repository is watched by nothing. */
const StackFile = says((text) =>
  text === '' || text.startsWith('/') ? `'${text}' is no path relative to the stack's directory` : undefined,
)

const BackendConfig = says((text) =>
  /^[A-Za-z_][\w-]*=/.test(text) || StackFile.safeParse(text).success
    ? undefined
    : `'${text}' is neither key=value nor a path relative to the stack's directory`,
)

const DependsOn = says((text) => {
  if (text.includes('//'))
    return parseQualifiedKey(text) === undefined ? `'${text}' is no stack key such as owner/repo//path` : undefined
  return repositoryPath(text) === undefined ? `'${text}' is no stack key such as aws/prod or aws/prod:eu` : undefined
})

const Version = says((text) =>
  /^\d+\.\d+(\.\d+)?(-[0-9A-Za-z.-]+)?$/.test(text) ? undefined : `'${text}' is no version such as 1.11.4`,
)

const Environment = says((text) =>
  text.trim() === '' || text.length > 255 ? 'expected the name of an environment, up to 255 characters' : undefined,
)

const Workspace = says((text) =>
  /^[A-Za-z0-9._~$&+:=@-]{1,90}$/.test(text) ? undefined : `'${text}' is no workspace name: no spaces and no slashes`,
)

const Team = says((text) =>
  /^([A-Za-z0-9-]+\/)?[A-Za-z0-9._-]+$/.test(text) ? undefined : `'${text}' is no team slug such as platform`,
)

const CheckName = says((text) =>
  isCheckName(text)
    ? undefined
    : `'${text}' is no check name: up to ${limits.checkNameChars} letters, digits, '-', '_', '.'; not resolve, plan or apply`,
)

const InstanceName = z.string().refine(isInstanceName, {
  error: `an instance name starts with a letter or digit, has up to ${limits.instanceNameChars} letters, digits, '.', '_', '-', and is not 'default'`,
})

const Cron = says((text) => {
  const problem = cronProblem(text) ?? (nextTick(text, new Date(0)) ? undefined : 'names no day of any year')
  return problem === undefined ? undefined : `'${text}': ${problem}`
})

const leastReminderMs = 60_000
const mostReminderMs = 366 * 24 * 3_600_000

/** Every reminder is a comment: each second one would use up what may be written; one in a million years has no date. */
const ReminderDelay = says((text) => {
  const ms = parseDuration(text)
  if (ms === undefined) return `'${text}' is no duration such as 24h, 7d or 1h30m`
  return ms < leastReminderMs || ms > mostReminderMs ? `'${text}' is not from 1m to 366d` : undefined
})

const uniqueNames = (checks: { name: string }[], context: z.RefinementCtx): void => {
  for (const [i, { name }] of checks.entries()) {
    if (checks.findIndex((other) => other.name === name) < i)
      context.addIssue({ code: 'custom', path: [i, 'name'], message: `'${name}' is named twice` })
  }
}

const schemaOf = (unknownKeys: 'refused' | 'ignored') => {
  const object = <S extends z.core.$ZodLooseShape>(shape: S) =>
    (unknownKeys === 'refused' ? z.strictObject(shape) : z.object(shape)) as z.ZodObject<S>

  const ofBoth = {
    workspace: Workspace.optional().describe('workspace to select; none when absent'),
    environment: Environment.optional().describe("the code host's environment that the apply job runs under"),
    var_files: z.array(StackFile).optional().describe("-var-file arguments, relative to the stack's directory"),
    backend_config: z.array(BackendConfig).optional().describe('-backend-config arguments: files or key=value'),
    watch_paths: z.array(Glob).optional().describe("paths or globs outside the stack's directory that affect it"),
  }
  const Instance = object(ofBoth)
  const StackEntry = object({
    match: Glob.describe('directories that this entry is about; later entries win'),
    ...ofBoth,
    depends_on: z.array(DependsOn).optional().describe('keys of stacks that come first; owner/repo//key elsewhere'),
    instances: z
      .record(
        InstanceName,
        Instance.nullable().transform((value) => value ?? {}),
      )
      .optional(),
    plan_output: PlanOutput.optional(),
    tool: Tool.optional(),
    tool_version: Version.optional(),
  })
  const Check = object({
    name: CheckName,
    run: says((text) => (text.trim() === '' ? 'is empty: expected a command' : undefined)),
    on: z.enum(['plan', 'apply']).default('plan'),
    mode: z.enum(['fail', 'warn']).default('fail'),
  })
  return object({
    version: z.literal(1),
    tool: unknownKeys === 'refused' ? Tool.default('terraform') : Tool,
    tool_version: Version.optional().describe('for stacks that pin none themselves'),
    discover: object({
      include: z.array(Glob).default(['**']),
      exclude: z.array(Glob).default([]),
    }).prefault({}),
    ignore: z.array(Glob).default([]).describe('changed paths that affect nothing'),
    plan: object({ output: PlanOutput.default('full') }).prefault({}),
    stacks: z.array(StackEntry).default([]),
    apply: object({
      mode: z.enum(['comment', 'on_merge', 'off']).default('comment'),
      approvals: z.int().min(0).max(100).default(1),
      code_owners: z.boolean().default(false),
      four_eyes: z.boolean().default(false),
      mergeable: z.boolean().default(true),
      teams: z.array(Team).default([]),
      checks: z.array(CheckName).default([]),
    }).prefault({}),
    drift: object({ schedule: Cron.optional(), issues: z.boolean().default(false) }).prefault({}),
    locks: object({ remind_after: ReminderDelay.default('24h') }).prefault({}),
    propagate: object({ cross_repo: z.enum(['off', 'plan']).default('off') }).prefault({}),
    checks: z.array(Check).superRefine(uniqueNames).default([]),
  })
}

export const ConfigFile = schemaOf('refused')
export const UploadedConfig = schemaOf('ignored')

export type RepoConfig = z.infer<typeof ConfigFile>
export type StackEntry = RepoConfig['stacks'][number]
export type InstanceEntry = NonNullable<StackEntry['instances']>[string]

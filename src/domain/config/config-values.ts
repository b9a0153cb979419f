import { z } from 'zod'
import { parseDuration } from '../duration.ts'
import { isCheckName, isInstanceName, isTag, parseQualifiedKey, repositoryPath } from '../keys.ts'
import { limits } from '../limits.ts'
import { cronProblem, nextTick } from './cron.ts'
import { globProblem, isLiteral } from './glob.ts'
import { instancesFromProblem } from './instances-from.ts'
import { placeholderProblem, withSamples } from './placeholders.ts'

/*
 * The kinds of text that svc.yml has as values, a schema each. `pattern` covers as much of the rule as JSON Schema can, for
 * editors; the function beside it is the whole rule. A message is shown next to its key, so none repeats the key.
 */

/** Makes the schema of a map of keys: for the file, or for what a client uploads. */
export type ObjectOf = <S extends z.core.$ZodLooseShape>(shape: S) => z.ZodObject<S>

/** What a key does, in words and examples. */
export const does = (description: string, ...examples: unknown[]): { description: string; examples?: unknown[] } =>
  examples.length > 0 ? { description, examples } : { description }

type Told = { title: string; description: string; pattern: string; maxLength?: number }

/** A text that is right where nothing is wrong with it. */
export const says = (told: Told, problem: (text: string) => string | undefined) =>
  z
    .string({ error: textExpected })
    .superRefine((text, context) => {
      const message = problem(text)
      if (message !== undefined) context.addIssue({ code: 'custom', message })
    })
    .meta(told)

/**
 * YAML reads `1.10` as the number 1.1 and a bare date as a date, so the message for a number in place of text says how to write
 * it.
 */
const textExpected = ({ input }: { input?: unknown }): string | undefined =>
  typeof input === 'number' ? 'expected text, not a number: write it in quotes' : undefined

/** A text with placeholders: right if they are known, and if it would be right with a letter in the place of each. */
const withPlaceholders = (told: Told, problem: (text: string) => string | undefined) =>
  says(told, (text) => placeholderProblem(text) ?? problem(withSamples(text)))

const glob: Told = {
  title: 'glob',
  description:
    "a path from the repository's root. `*` and `?` stay within a segment, a segment `**` is any number of them; `[a-z]`, `{a,b}` and `\\` as usual. `dir/` is everything below it. No leading `!` or `/`, and no `..`",
  pattern: '^(?![!/])(?!(?:.*/)?\\.\\.(?:/|$)).*\\S',
  maxLength: 300,
}

export const Glob = says(glob, globProblem)

export const WatchedGlob = withPlaceholders(glob, globProblem)

/** As given to the tool: relative to the stack's directory. A path that leads out of the repository is not watched. */
export const StackFile = withPlaceholders(
  { title: 'file', description: "a path from the stack's directory, such as `../common.tfvars`", pattern: '^[^/]' },
  (text) =>
    text === '' || text.startsWith('/') ? `'${text}' is not a path relative to the stack's directory` : undefined,
)

export const BackendConfig = withPlaceholders(
  {
    title: 'file or key=value',
    description: "a path from the stack's directory, or a setting such as `key=app.tfstate`",
    pattern: '^[^/]',
  },
  (text) =>
    /^[A-Za-z_][\w-]*=/.test(text) || StackFile.safeParse(text).success
      ? undefined
      : `'${text}' is neither key=value nor a path relative to the stack's directory`,
)

export const InstancesFrom = says(
  {
    title: 'path with a star',
    description:
      "a path from the stack's directory with one `*` for the instance's name, such as `env/*.tfvars` or `env/*/main.tfvars`; no other wildcard",
    pattern: '^[^/*]*[*]',
  },
  instancesFromProblem,
)

export const DependsOn = says(
  {
    title: 'stack key',
    description:
      "a stack's directory, `path:instance` for an instance of it, a glob of either, `tag:network` for all with a tag, `owner/repo//key` for a stack of another repository",
    pattern: '^(?!/)(?!(?:.*/)?\\.\\.(?:/|$)).+',
  },
  (text) => {
    if (text.includes('//'))
      return parseQualifiedKey(text) === undefined ? `'${text}' is not a stack key such as owner/repo//path` : undefined
    const glob = text.replace(/\/$/, '')
    if (glob !== '' && !isLiteral(glob)) return globProblem(glob)
    return repositoryPath(text) === undefined
      ? `'${text}' is not a stack key such as aws/prod or aws/prod:eu`
      : undefined
  },
)

const version = /^\d+\.\d+(\.\d+)?(-[0-9A-Za-z.-]+)?$/
export const Version = says(
  {
    title: 'version',
    description: 'such as `"1.11.4"`; in quotes where YAML would read a number',
    pattern: version.source,
  },
  (text) => (version.test(text) ? undefined : `'${text}' is not a version such as 1.11.4`),
)

export const Environment = withPlaceholders(
  { title: 'environment', description: 'the name of an environment at the code host', pattern: '\\S', maxLength: 255 },
  (text) =>
    text.trim() === '' || text.length > 255 ? 'expected the name of an environment, up to 255 characters' : undefined,
)

const workspace = /^[A-Za-z0-9._~$&+:=@-]{1,90}$/

/** Whether the tool takes a text for a workspace's name, as it is once its placeholders are replaced. */
export const isWorkspaceName = (text: string): boolean => workspace.test(text)

export const Workspace = withPlaceholders(
  {
    title: 'workspace',
    description: 'a name without spaces and slashes; a slash in what a placeholder stands for becomes `-`',
    pattern: '^[A-Za-z0-9._~$&+:=@{}-]+$',
  },
  (text) => (isWorkspaceName(text) ? undefined : `'${text}' is not a workspace name: no spaces and no slashes`),
)

const team = /^([A-Za-z0-9-]+\/)?[A-Za-z0-9._-]+$/
export const Team = says(
  {
    title: 'team',
    description: "a team's slug, of the repository's organisation or as `organisation/slug`",
    pattern: team.source,
  },
  (text) => (team.test(text) ? undefined : `'${text}' is not a team slug such as platform`),
)

export const CheckName = says(
  {
    title: 'check name',
    description: `up to ${limits.checkNameChars} letters, digits, \`-\`, \`_\`, \`.\`; not \`resolve\`, \`plan\` or \`apply\``,
    pattern: `^(?!(?:resolve|plan|apply)$)[A-Za-z0-9._-]{1,${limits.checkNameChars}}$`,
  },
  (text) =>
    isCheckName(text)
      ? undefined
      : `'${text}' is not a check name: up to ${limits.checkNameChars} letters, digits, '-', '_', '.'; not resolve, plan or apply`,
)

export const InstanceName = z
  .string()
  .refine(isInstanceName, {
    error: `an instance name starts with a letter or digit, has up to ${limits.instanceNameChars} letters, digits, '.', '_', '-', and is not 'default'`,
  })
  .meta({
    title: 'instance name',
    description: `a letter or digit, then letters, digits, \`.\`, \`_\`, \`-\`: up to ${limits.instanceNameChars}; not \`default\` in any letter case`,
    pattern: `^(?![Dd][Ee][Ff][Aa][Uu][Ll][Tt]$)[A-Za-z0-9][A-Za-z0-9._-]{0,${limits.instanceNameChars - 1}}$`,
  })

export const Tag = says(
  {
    title: 'tag',
    description: `a letter or digit, then letters, digits, \`.\`, \`_\`, \`-\`: up to ${limits.tagChars}`,
    pattern: `^[A-Za-z0-9][A-Za-z0-9._-]{0,${limits.tagChars - 1}}$`,
  },
  (text) =>
    isTag(text)
      ? undefined
      : `'${text}' is not a tag: a letter or digit, then letters, digits, '.', '_', '-', up to ${limits.tagChars}`,
)

export const Cron = says(
  {
    title: 'cron line',
    description:
      'minute, hour, day of month, month and day of week, in UTC: numbers, names (`mon`, `jan`), lists, ranges, `*`, and steps of a range (`*/2`)',
    pattern: '^\\s*\\S+(?:\\s+\\S+){4}\\s*$',
  },
  (text) => {
    const problem = cronProblem(text) ?? (nextTick(text, new Date(0)) ? undefined : 'names no day of any year')
    return problem === undefined ? undefined : `'${text}': ${problem}`
  },
)

const leastReminderMs = 60_000
const mostReminderMs = 366 * 24 * 3_600_000

/** Every reminder is a comment. One each second would use up the budget for comments; one in a million years has no date. */
/** Labels may hold anything that a person may call a runner; GitHub compares them without regard to letter case. */
const Label = z.string({ error: textExpected }).trim().min(1, 'expected the label of a runner').max(100)

/** One label becomes a list of one, so that everyone who reads it finds a list. */
export const RunnerLabels = z
  .union([Label.transform((label) => [label]), z.array(Label).min(1).max(20)], {
    error: 'expected the label of a runner, or a list of them',
  })
  .meta({
    title: 'runner labels',
    description: 'a label such as `ubuntu-24.04`, or a list such as `[self-hosted, linux]`',
  })

const mostLockWaitMs = 24 * 60 * 60_000
/** The tool reads a Go duration, which knows no days. */
export const LockWait = says(
  {
    title: 'time to wait',
    description: 'up to `24h`, such as `90s`, `10m` or `1h30m`; `0s` does not wait',
    pattern: '^(?:\\d{1,9}(?:s|m|h))+$',
  },
  (text) => {
    if (!/^(\d{1,9}[smh])+$/.test(text)) return `'${text}' is not a duration such as 90s, 10m or 1h30m`
    return (parseDuration(text) ?? 0) > mostLockWaitMs ? `'${text}' is more than 24h` : undefined
  },
)

export const ReminderDelay = says(
  {
    title: 'duration',
    description: 'from `1m` to `366d`, such as `24h`, `7d` or `1h30m`',
    pattern: '^(?:\\d{1,9}(?:ms|s|m|h|d))+$',
  },
  (text) => {
    const ms = parseDuration(text)
    if (ms === undefined) return `'${text}' is not a duration such as 24h, 7d or 1h30m`
    return ms < leastReminderMs || ms > mostReminderMs ? `'${text}' is not from 1m to 366d` : undefined
  },
)

export const CommandLine = says(
  { title: 'command', description: 'a line for the shell (`sh -c`)', pattern: '\\S' },
  (text) => (text.trim() === '' ? 'is empty: expected a command' : undefined),
)

const variable = /^(?!SVC_|GITHUB_|ACTIONS_|RUNNER_)[A-Za-z_][A-Za-z0-9_]{0,199}$/
export const VariableName = z
  .string()
  .refine((name) => variable.test(name), {
    error: 'a variable has letters, digits and _, and does not begin with SVC_, GITHUB_, ACTIONS_ or RUNNER_',
  })
  .meta({
    title: 'variable name',
    description: 'letters, digits and `_`, not beginning with `SVC_`, `GITHUB_`, `ACTIONS_` or `RUNNER_`',
    pattern: variable.source,
  })

/** What the client says itself: the plan that is shown must be the one that is applied. */
const own = /^--?(?:out|json|input|no-color|detailed-exitcode|chdir|destroy|auto-approve)(?:$|=)/
export const ToolArgument = says(
  {
    title: 'argument',
    description:
      "begins with `-`, such as `-parallelism=30`; not `-out`, `-json`, `-input`, `-no-color`, `-detailed-exitcode`, `-chdir`, `-destroy` and `-auto-approve`, which are the client's",
    pattern: '^-',
  },
  (text) =>
    !text.startsWith('-') || own.test(text)
      ? `'${text}' is not an argument such as -parallelism=30, or one that the client gives itself`
      : undefined,
)

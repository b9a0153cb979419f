import type { Run } from '#api/runs/run.ts'
import type { RunStack } from '#api/runs/run-stack.ts'
import type { Observation } from './observe.ts'

type Waves = readonly (readonly string[])[]

/** These stacks planned, by wave; all with changes but the `unchanged` ones. */
export type IntendedPlan = { status: 'planned'; waves: Waves; unchanged?: readonly string[]; warnings?: RegExp }

/** An apply of these stacks, by wave; all applied except the named ones, each with its own status instead. */
export type IntendedApply = {
  status: 'applied' | 'failed'
  waves: Waves
  except?: Readonly<Record<string, RunStack['status']>>
  /** By the key of the blocked stack. */
  blockedBy?: Readonly<Record<string, readonly string[]>>
}

/** How a run should end. */
export type Intended =
  | IntendedPlan
  | IntendedApply
  /** Resolution fails, and the check run that reports it shows this. */
  | { status: 'failed'; spelled: RegExp }
  | { status: 'superseded' }

/** What came out differently, a sentence each; nothing if all is as intended. */
export const differences = (intended: Intended, seen: Observation): string[] => {
  const { run } = seen
  if (!run) return ['there is no run']
  const status = run.status === intended.status ? [] : [`the run is ${run.status}, not ${intended.status}`]
  return [...status, ...detailDifferences(intended, run, seen), ...commentDifferences(seen)]
}

const detailDifferences = (intended: Intended, run: Run, seen: Observation): string[] => {
  if ('spelled' in intended) {
    return [...cycleDifferences(intended.spelled, seen), ...workflowDifferences(seen, 'failure')]
  }
  switch (intended.status) {
    case 'planned':
      return plannedDifferences(intended, run, seen)
    case 'superseded':
      return seen.checkRuns.filter(({ status }) => status !== 'completed').map(({ name }) => `${name} is left open`)
    default:
      return appliedDifferences(intended, run, seen)
  }
}

const plannedDifferences = (intended: IntendedPlan, run: Run, seen: Observation): string[] => {
  const { waves, unchanged = [], warnings } = intended
  const statuses = Object.fromEntries(waves.flat().map((key) => [key, unchanged.includes(key) ? 'noop' : 'planned']))
  return [
    ...waveDifferences(waves, run),
    ...stackDifferences(statuses, run),
    ...warningDifferences(warnings, run),
    ...workflowDifferences(seen, 'success'),
    ...checkDifferences(seen, ['svc/resolve', 'svc/plan', ...waves.flat().map((key) => `svc/plan: ${key}`)]),
    ...seen.checkRuns
      .filter(isUnsuccessful)
      .map(({ name, status, conclusion }) => `${name} is ${conclusion ?? status}`),
  ]
}

const isUnsuccessful = ({ conclusion }: { conclusion: string | null }): boolean => conclusion !== 'success'

/** How a check run shows the outcome of a stack's apply. */
const conclusions: Partial<Record<RunStack['status'], string>> = {
  applied: 'success',
  noop: 'success',
  failed: 'failure',
  unknown: 'action_required',
  blocked: 'cancelled',
  skipped: 'cancelled',
}

const appliedDifferences = (
  { status, waves, except = {}, blockedBy = {} }: IntendedApply,
  run: Run,
  seen: Observation,
): string[] => {
  const statuses = Object.fromEntries(waves.flat().map((key) => [key, except[key] ?? ('applied' as const)]))
  const wantedChecks = new Map(Object.entries(statuses).map(([key, one]) => [`svc/apply: ${key}`, conclusions[one]]))
  wantedChecks.set('svc/apply', conclusions[status])
  return [
    ...waveDifferences(waves, run),
    ...stackDifferences(statuses, run),
    ...blockDifferences(blockedBy, run),
    ...warningDifferences(undefined, run),
    ...checkDifferences(seen, [...wantedChecks.keys()]),
    ...seen.checkRuns
      .filter(({ name, conclusion }) => conclusion !== wantedChecks.get(name))
      .map(({ name, conclusion }) => `${name} is ${conclusion ?? 'left open'}, not ${wantedChecks.get(name)}`),
  ]
}

const stackDifferences = (wanted: Readonly<Record<string, string>>, { stacks = [] }: Run): string[] =>
  stacks.flatMap(({ key, status }) => (status === wanted[key] ? [] : [`stack ${key} is ${status}, not ${wanted[key]}`]))

const blockDifferences = (wanted: Readonly<Record<string, readonly string[]>>, { stacks = [] }: Run): string[] =>
  stacks.flatMap(({ key, blocked_by = [] }) => {
    const [meant, got] = [wanted[key] ?? [], blocked_by].map((keys) => keys.join(', ') || 'nothing')
    return meant === got ? [] : [`stack ${key} is blocked by ${got}, not ${meant}`]
  })

const waveDifferences = (waves: Waves, run: Run): string[] => {
  const found = Array.from({ length: run.waves }, (_, wave) =>
    (run.stacks ?? []).filter((stack) => stack.wave === wave).map(({ key }) => key),
  )
  const [wanted, got] = [waves, found].map((each) => each.map((wave) => wave.toSorted().join(', ')).join(' | '))
  return wanted === got ? [] : [`the waves are ${got || 'none'}, not ${wanted}`]
}

const warningDifferences = (wanted: RegExp | undefined, { warnings = [] }: Run): string[] => {
  const told = warnings.map(({ message }) => message).join('\n')
  if (wanted === undefined) return warnings.length === 0 ? [] : [`unexpected warnings: ${told}`]
  return wanted.test(told) ? [] : [`no warning says ${wanted}: ${told || 'there is none'}`]
}

const workflowDifferences = ({ workflows }: Observation, wanted: string): string[] => {
  const conclusion = workflows.at(-1)?.conclusion
  return conclusion === wanted ? [] : [`the workflow ended with ${conclusion ?? 'no conclusion'}, not ${wanted}`]
}

const checkDifferences = ({ checkRuns }: Observation, names: readonly string[]): string[] => {
  const [wanted, got] = [names, checkRuns.map(({ name }) => name)].map((each) => each.toSorted().join(', '))
  return wanted === got ? [] : [`the check runs are ${got}, not ${wanted}`]
}

const cycleDifferences = (spelled: RegExp, { checkRuns }: Observation): string[] => {
  const resolve = checkRuns.find(({ name }) => name === 'svc/resolve')
  if (resolve?.conclusion !== 'failure') return [`svc/resolve is ${resolve?.conclusion ?? 'not there'}, not failure`]
  return spelled.test(resolve.text) ? [] : [`svc/resolve does not show ${spelled}: ${resolve.text}`]
}

/** However many pushes and applies it sees, a pull request has one comment that shows its status. */
const commentDifferences = ({ comments }: Observation): string[] => {
  const { length } = comments.filter(({ kind }) => kind === 'overview')
  return length === 1 ? [] : [`${length} of its comments show the pull request's status, not one`]
}

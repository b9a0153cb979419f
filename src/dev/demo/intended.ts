import type { Run } from '#api/run.ts'
import { many } from '#domain/change-counts.ts'
import type { Observation } from './observe.ts'

/** What a commit's run is meant to come to. */
export type Intended =
  /** These stacks planned, by wave; all with changes but the `unchanged` ones. */
  | {
      status: 'planned'
      waves: readonly (readonly string[])[]
      unchanged?: readonly string[]
      warnings?: RegExp
    }
  /** Resolution fails, and the check run that says so spells this. */
  | { status: 'failed'; spelled: RegExp }
  | { status: 'superseded' }

/** What came out differently, a sentence each; nothing when all is as intended. */
export const differences = (intended: Intended, seen: Observation): string[] => {
  const { run } = seen
  if (!run) return ['there is no run']
  const status = run.status === intended.status ? [] : [`the run is ${run.status}, not ${intended.status}`]
  return [...status, ...detailDifferences(intended, run, seen), ...commentDifferences(seen)]
}

const detailDifferences = (intended: Intended, run: Run, seen: Observation): string[] => {
  switch (intended.status) {
    case 'planned':
      return [
        ...waveDifferences(intended.waves, run),
        ...stackDifferences(intended.unchanged ?? [], run),
        ...warningDifferences(intended.warnings, run),
        ...workflowDifferences(seen, 'success'),
        ...checkDifferences(seen, intended.waves.flat()),
      ]
    case 'failed':
      return [...cycleDifferences(intended.spelled, seen), ...workflowDifferences(seen, 'failure')]
    case 'superseded':
      return seen.checkRuns.filter(({ status }) => status !== 'completed').map(({ name }) => `${name} is left open`)
  }
}

const stackDifferences = (unchanged: readonly string[], { stacks = [] }: Run): string[] =>
  stacks.flatMap(({ key, status }) => {
    const wanted = unchanged.includes(key) ? 'noop' : 'planned'
    return status === wanted ? [] : [`stack ${key} is ${status}, not ${wanted}`]
  })

const waveDifferences = (waves: readonly (readonly string[])[], run: Run): string[] => {
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

const workflowDifferences = ({ workflow }: Observation, wanted: string): string[] =>
  workflow?.conclusion === wanted ? [] : [`the workflow came to ${workflow?.conclusion ?? 'no end'}, not ${wanted}`]

const checkDifferences = ({ checkRuns }: Observation, keys: readonly string[]): string[] => {
  const wanted = ['svc/resolve', 'svc/plan', ...keys.map((key) => `svc/plan: ${key}`)].sort().join(', ')
  const got = checkRuns
    .map(({ name }) => name)
    .sort()
    .join(', ')
  return [
    ...(wanted === got ? [] : [`the check runs are ${got}, not ${wanted}`]),
    ...checkRuns
      .filter(({ conclusion }) => conclusion !== 'success')
      .map(({ name, status, conclusion }) => `${name} is ${conclusion ?? status}`),
  ]
}

const cycleDifferences = (spelled: RegExp, { checkRuns }: Observation): string[] => {
  const resolve = checkRuns.find(({ name }) => name === 'svc/resolve')
  if (resolve?.conclusion !== 'failure') return [`svc/resolve is ${resolve?.conclusion ?? 'not there'}, not failure`]
  return spelled.test(resolve.text) ? [] : [`svc/resolve does not spell ${spelled}: ${resolve.text}`]
}

const commentDifferences = ({ comments }: Observation): string[] =>
  comments.length === 1 ? [] : [`the pull request has ${many(comments.length, 'comment') || 'no comment'}, not one`]

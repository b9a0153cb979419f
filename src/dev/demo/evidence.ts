import { readFileSync } from 'node:fs'
import type { PullRequestHandle } from '#emulator/handles.ts'
import type { Place } from './place.ts'

const shownLines = 25

/** Why a scene may have come out otherwise: the ends of the logs of failed jobs, and the service's warnings and errors. */
export const evidence = (place: Place, pull: PullRequestHandle | undefined): string[] => {
  const dispatched = place.hub.repository.workflowRuns().map((one) => one.now())
  const ofPull = dispatched.filter(
    ({ event, inputs }) => event === 'workflow_dispatch' && inputs.sha === pull?.headSha(),
  )
  const failed = [...(pull?.workflowRuns() ?? []), ...ofPull]
    .flatMap(({ id }) => place.hub.emulator.jobs(id))
    .filter(({ conclusion }) => conclusion === 'failure' || conclusion === 'timed_out')
  return [
    ...failed.map(
      ({ name, log }) => `--- log of the job '${name}', its last lines\n${lastOf(log.trimEnd().split('\n'))}`,
    ),
    ...complaints(place.logFile),
  ]
}

const lastOf = (lines: string[]): string => lines.slice(-shownLines).join('\n')

/** Each once, however often it was logged, and with the lines that belong to it. */
const complaints = (logFile: string): string[] => {
  const entries = readFileSync(logFile, 'utf8').split(/^(?=\d{4}-\d\d-\d\dT)/m)
  const bad = entries.filter((entry) => /^\S+ (WARN|ERROR|FATAL) /.test(entry))
  const different = [...new Map(bad.map((entry) => [entry.slice(entry.indexOf(' ')), entry.trimEnd()])).values()]
  return different.length === 0
    ? []
    : [`--- the service's log: warnings and errors\n${different.slice(-10).join('\n')}`]
}

import { runWorkflow, runWorkflowPath } from '../run-name.ts'

/** The code host's answer to a dispatch: its HTTP status and message; the repository and branch that it was sent to. */
export type DispatchAnswer = { status: number; said: string; repo: string; branch: string }

const inputs = 'run_id, mode, wave, sha and stacks'

/** What to do about a 422, by the subject of the code host's message. */
const unprocessable: [about: RegExp, todo: (answer: DispatchAnswer) => string][] = [
  [
    /unexpected inputs|required input/i,
    () => `declare the inputs ${inputs} under on.workflow_dispatch in ${runWorkflow}`,
  ],
  [/too large/i, () => 'a single stack needs more room than the inputs have: shorten the name of its saved plan'],
  [/disabled/i, ({ repo }) => `enable ${runWorkflow} on the Actions page of ${repo}`],
  [
    /workflow_dispatch/i,
    ({ branch }) =>
      `${runWorkflow} on ${branch} must be valid YAML with the trigger workflow_dispatch; a file that was just pushed takes a moment`,
  ],
  [
    /no ref/i,
    ({ repo, branch }) =>
      `${repo} has no branch ${branch} any more: rename it back, or wait for the daily synchronisation`,
  ],
]

const todo = (answer: DispatchAnswer): string => {
  const { status, said, repo, branch } = answer
  if (status === 404) return `commit ${runWorkflowPath} to ${branch}, and see that the app may access ${repo}`
  if (status === 403)
    return `give the app the permission 'Actions: read and write' on ${repo}, and accept it in the installation`
  const known = status === 422 ? unprocessable.find(([about]) => about.test(said)) : undefined
  return known?.[1](answer) ?? `see that ${runWorkflow} can be run by hand on ${branch} of ${repo}`
}

/** A warning with enough for a person to fix it: the wave is sent again each minute, for half an hour. */
export const dispatchRefusal = (answer: DispatchAnswer): string =>
  `The code host did not start ${runWorkflow} in ${answer.repo} (${answer.status}: ${answer.said}). ` +
  `To do: ${todo(answer)}. It is tried again each minute, for 30 minutes at most.`

/** A rate limit: asked again when the code host said, so the same words each time. */
export const dispatchPutOff = (repo: string): string =>
  `The code host did not start ${runWorkflow} in ${repo}: the app's rate limit there is used up. ` +
  `To do: nothing. It is tried again as soon as the code host takes requests, for 30 minutes at most; after that its stacks are unknown.`

/** It is not known whether the workflow started: said once, and checked before it is sent again. */
export const dispatchUnanswered = (said: string): string =>
  `The code host gave no clear answer to a dispatch of ${runWorkflow} (${said}). Before it is sent again, each minute and for 30 minutes at most, the service checks whether it started.`

import { runWorkflow, runWorkflowPath } from './run-name.ts'

/** What the code host said to a dispatch: its HTTP status and its words; the branch that it was sent to. */
export type DispatchAnswer = { status: number; said: string; repo: string; branch: string }

const inputs = 'run_id, mode, wave, sha and stacks'

/** What to do about a 422, by what the code host's sentence is about. */
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

/** A warning that is enough for a person to mend it: the wave is sent again each minute, for half an hour. */
export const dispatchRefusal = (answer: DispatchAnswer): string =>
  `The code host did not start ${runWorkflow} in ${answer.repo} (${answer.status}: ${answer.said}). ` +
  `To do: ${todo(answer)}. It is tried again each minute, for 30 minutes at most.`

/** Nobody knows whether it was started: said once, and looked into before it is sent again. */
export const dispatchUnanswered = (said: string): string =>
  `The code host gave no clear answer to a dispatch of ${runWorkflow} (${said}). Whether it was started is looked into before it is sent again, each minute, for 30 minutes at most.`

/** The environment variables that the client reads besides those of GitHub Actions, and what each says. */
export const variables: readonly (readonly [name: string, says: string])[] = [
  ['SVC_URL', "the service's address"],
  ['SVC_API_KEY', 'key for the commands that ask the service: svc runs, svc unlock and so on'],
  ['SVC_AUDIENCE', "audience of the job's OIDC tokens; the address above when unset"],
  ['SVC_RUN_ID', 'the run that svc resolve registered, or that dispatched the job'],
  ['SVC_MODE', 'of a dispatched job: plan, apply or drift'],
  ['SVC_WAVE', 'of a dispatched job: its wave, 2 or 2.1'],
  ['SVC_SHA', 'of a dispatched job: the commit to work on'],
  ['SVC_MATRIX', "the job's entry of the matrix, as JSON: toJSON(matrix)"],
  ['SVC_STACK', 'key of a stack, if there is no matrix'],
  ['SVC_UNCONFIRMED', 'true if svc resolve could not reach the service'],
  ['SVC_TOOL', 'the tool to run, a name or a path, in place of terraform, tofu or terragrunt'],
  ['SVC_MASK', 'names of further variables whose values are masked in everything that is sent'],
  ['SVC_WORK_DIR', 'where plans and results are kept between steps; below RUNNER_TEMP when unset'],
  ['SVC_CACHE_DIR', 'where scans are kept'],
  ['NO_COLOR', 'no colour'],
]

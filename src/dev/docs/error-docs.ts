import { type ErrorCode, statusOf } from '#errors.ts'
import type { ApiDocument } from './api-document.ts'
import { compactJson, type Example } from './api-example.ts'
import { table } from './schema-text.ts'

/** What each code means, what `details` contains, and what to do: exhaustive by type. */
const about: Record<ErrorCode, { means: string; details?: string; todo: string }> = {
  invalid: {
    means: 'The body or a parameter failed validation; with status 413 the body is larger than the route allows.',
    details: '`field` and `reason`, if one field is at fault',
    todo: 'Correct the field that `details.field` names, as `details.reason` says. Sending the same request again fails again. 413: send less (1 MB; 8 MB for a graph).',
  },
  unauthorized: {
    means:
      'No credentials, or unusable ones: a bad signature, another issuer or audience, a token older than ten minutes or used before, an unknown or revoked API key, an expired session.',
    todo: 'A CI job asks for a new token with every request and names the base URL as audience. Automation checks its key (`svc-server api-key list`). A person signs in again.',
  },
  forbidden: {
    means:
      'Valid credentials that may not do this: an unknown repository, a suspended installation, another workflow than SVC_REQUIRED_WORKFLOW_REF asks for, claims that do not match the run, no push permission, membership in none of the teams that svc.yml names, a request from another origin.',
    todo: 'The message names what does not match. Install the app on the repository, run the job under the environment of its matrix entry, or have somebody do it who has push permission and is in the team.',
  },
  not_found: {
    means: 'The run, stack, module, repository or route does not exist, or the caller may not see it.',
    todo: 'Check the id and the spelling. A person who should see it signs in again after joining the organisation: a session knows the organisations of its sign-in.',
  },
  conflict: {
    means: 'The request conflicts with the current state, for example a result for a stack that is finished.',
    details: '`conflicts`: after an unlock with `run_id`, the lock that another run holds by then, as for `locked`',
    todo: 'Read the run and continue from its current state. To plan again re-run all jobs, push, or comment `svc plan`.',
  },
  refused: {
    means: 'The apply gate refused.',
    details: '`failures`: every reason at once, each with `layer`, `name`, `reason` and `stacks`',
    todo: 'Resolve each of `details.failures` and ask again. `GET /v1/runs/{id}/gate` shows the result beforehand, without applying.',
  },
  superseded: {
    means: 'A newer commit replaced the run.',
    todo: 'Nothing: the run of the newer commit counts. The client ends a job of the old one with status 3.',
  },
  locked: {
    means: 'A stack is locked by another pull request or run.',
    details: '`conflicts`: the locks, each with `stack_id`, `stack_key`, `run_id`, `pr_number` and `taken_at`',
    todo: 'Wait until the holder is merged or closed, or release its locks (`svc unlock` in a comment, `POST /v1/unlock`) once nobody is at work there.',
  },
  internal: {
    means: 'Something unexpected.',
    todo: "Try again, as the client does. Search the service's log for the answer's `X-Request-Id`: every line about the request has it.",
  },
  unavailable: {
    means:
      'Signing keys, the code host or the database cannot be reached, the code host asks for a pause, or the service is in setup mode.',
    todo: 'Try again, as the client does three times. `GET /readyz` reports whether the database works; in setup mode open `/setup`.',
  },
}

const codes = Object.keys(statusOf) as ErrorCode[]

const exampleOf = (code: ErrorCode, examples: readonly Example[]): string[] => {
  const found = examples.find(({ answer }) => (answer as { code?: string } | null)?.code === code)
  return found ? [`${found.operation} answered:`, '', '```json', compactJson(found.answer), '```', ''] : []
}

/** Operations of the API that list the status among their answers. */
const withStatus = ({ paths }: ApiDocument, status: number): string[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { responses = {} }]) =>
      String(status) in responses ? [`\`${method.toUpperCase()} ${path}\``] : [],
    ),
  )

const where = (document: ApiDocument, code: ErrorCode): string => {
  if (code === 'internal' || code === 'unavailable' || code === 'unauthorized')
    return 'Wherever credentials are required.'
  return `${withStatus(document, statusOf[code]).join(', ')}.`
}

/** docs/errors.md: a test compares the committed file with this text. */
export const errorDocs = (document: ApiDocument, examples: readonly Example[]): string =>
  [
    '# Errors',
    '',
    'Made from the table of codes and the answers of a real service by `node src/dev/docs/api-docs.ts`; not to be edited by hand.',
    '',
    'Every error has the body `{code, message, details?}`. `message` says what is wrong and what would be right, for a person; go',
    'by `code`, and by `details` where the code has any. A 401 carries `WWW-Authenticate`, every answer `X-Request-Id`. The client',
    'retries network errors, timeouts and 5xx three times (after 200 ms, 800 ms and 2 s), and a 4xx never.',
    '',
    ...table(
      ['status', 'code', 'meaning', 'what to do'],
      codes.map((code) => [
        code === 'invalid' ? '400, 413' : String(statusOf[code]),
        `[${code}](#${code})`,
        about[code].means,
        about[code].todo,
      ]),
    ),
    ...codes.flatMap((code) => [
      `## ${code}`,
      '',
      about[code].means,
      '',
      `**What to do.** ${about[code].todo}`,
      '',
      ...(about[code].details ? [`**Details.** ${about[code].details}.`, ''] : []),
      `**Where.** ${where(document, code)}`,
      '',
      ...exampleOf(code, examples),
    ]),
  ]
    .join('\n')
    .trimEnd()
    .concat('\n')

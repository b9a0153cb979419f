import type { RequestEffect, RequestFault, WebhookFault } from '#emulator/faults/fault.ts'
import type { Mishap, Phase } from './mishap.ts'

/* Everything that the emulated GitHub can do wrong during an apply, and the required end of each. */

const webhook = (
  event: string,
  from: Phase,
  effects: Readonly<Record<string, WebhookFault['effect']>>,
  action?: string,
): Mishap[] =>
  Object.entries(effects).map(([how, effect]) => ({
    name: `webhook ${event}${action === undefined ? '' : `.${action}`} ${how}`,
    from,
    faults: [{ kind: 'webhook', event, effect, ...(action === undefined ? {} : { action }), times: 1 }],
  }))

/** `behind`: the next two overtake it, or all there are. */
const disturbed = { 'lost without a trace': 'vanish', doubled: 'double', overtaken: { behind: 2 } } as const
const late = { late: { delayMs: 60 } } as const
/** On record at the code host, where it is found. */
const lost = { lost: 'lose' } as const

const webhooks: Mishap[] = [
  ...webhook('pull_request', 'plan', lost, 'opened'),
  ...webhook('issue_comment', 'apply', { ...disturbed, ...late, ...lost }, 'created'),
  ...webhook('workflow_run', 'apply', disturbed, 'requested'),
  ...webhook('workflow_run', 'apply', { ...disturbed, ...late, ...lost }, 'completed'),
  ...webhook('check_run', 'apply', { doubled: 'double' }),
  ...webhook('pull_request', 'merge', { ...disturbed, ...lost }, 'closed'),
  {
    name: 'no webhook of workflow runs at all',
    from: 'apply',
    faults: [{ kind: 'webhook', event: 'workflow_run', effect: 'vanish' }],
  },
]

type Route = Pick<RequestFault, 'method' | 'path' | 'where'>

const request = (what: string, from: Phase, route: Route, effects: Readonly<Record<string, RequestEffect>>): Mishap[] =>
  Object.entries(effects).map(([how, effect]) => ({
    name: `${what} ${how}`,
    from,
    faults: [{ kind: 'request', ...route, effect, times: 1 }],
  }))

const dispatches: Route = { method: 'POST', path: '/repos/{owner}/{repo}/actions/workflows/{workflow_id}/dispatches' }
const ofWave = (wave: string): Route => ({
  ...dispatches,
  where: (body) => (body as { inputs?: { wave?: string } } | undefined)?.inputs?.wave === wave,
})
const comments: Route = { method: 'POST', path: '/repos/{owner}/{repo}/issues/{issue_number}/comments' }
const checkRuns: Route = { method: 'POST', path: '/repos/{owner}/{repo}/check-runs' }

const limited = {
  'meets the rate limit': { rateLimit: { resetInSeconds: 90 } },
  'meets the secondary rate limit': { secondaryRateLimit: { retryAfterSeconds: 60 } },
} as const

const unanswered = {
  'drops before it is carried out': 'drop-before',
  'drops after it was carried out': 'drop-after',
  'gets half an answer': 'truncate',
  'meets a bad gateway': { status: 502 },
} as const

const once = { 422: 'Unexpected inputs provided', 403: 'Resource not accessible by integration', 404: 'Not Found' }
const refused = Object.fromEntries(
  Object.entries(once).map(([status, message]) => [
    `is refused once with ${status}`,
    { status: Number(status), message },
  ]),
)
const hanging = {
  'hangs before it is carried out': 'hang-before',
  'hangs after it was carried out': 'hang-after',
} as const
const { 'drops after it was carried out': dropped, 'gets half an answer': halved } = unanswered
const { 'meets the rate limit': primary, 'meets the secondary rate limit': secondary } = limited

const requests: Mishap[] = [
  ...request('the dispatch', 'apply', dispatches, { ...refused, ...unanswered, ...limited, ...hanging }),
  ...request('the second dispatch', 'apply', ofWave('1'), {
    'is refused once with 422': { status: 422, message: 'inputs are too large.' },
    'drops after it was carried out': dropped,
  }),
  ...request('a comment', 'plan', comments, {
    'drops after it was carried out': dropped,
    'gets half an answer': halved,
    'meets the rate limit': primary,
  }),
  ...request('a new check run', 'apply', checkRuns, {
    'drops after it was carried out': dropped,
    'gets half an answer': halved,
    'meets the secondary rate limit': secondary,
  }),
  ...request(
    'a change of a check run',
    'apply',
    { method: 'PATCH', path: '/repos/{owner}/{repo}/check-runs/{check_run_id}' },
    { 'drops after it was carried out': dropped },
  ),
  ...request(
    'a reaction',
    'apply',
    { method: 'POST', path: /\/reactions$/ },
    { 'drops after it was carried out': dropped },
  ),
  ...request(
    'the question for reviews',
    'apply',
    { path: /\/reviews$/ },
    { 'gets half an answer': halved, 'meets the rate limit': primary },
  ),
  ...request(
    'the question for the pull request',
    'apply',
    { path: /\/pulls\/\d+$/ },
    { 'meets the secondary rate limit': secondary },
  ),
  ...request(
    'the question for a workflow run',
    'apply',
    { path: /\/actions\/runs\/\d+$/ },
    { 'meets the rate limit': primary },
  ),
]

const down = (when: string, from: Phase): Mishap => ({
  name: `the code host is down for ten minutes ${when}`,
  from,
  faults: [{ kind: 'down' }],
  lastsMinutes: 10,
})

const outages: Mishap[] = [
  down('when the command is written', 'apply'),
  down('when the pull request is merged', 'merge'),
]

const firstWave = ['network', 'dns']

const workflows: Mishap[] = [
  {
    name: 'the first dispatch is refused for half an hour',
    from: 'apply',
    faults: [{ kind: 'request', ...ofWave('0'), effect: { status: 422, message: 'no' } }],
    loss: { unreported: firstWave, neverRan: [0] },
  },
  {
    name: 'the second dispatch is refused for half an hour',
    from: 'apply',
    faults: [{ kind: 'request', ...ofWave('1'), effect: { status: 403, message: 'no' } }],
    loss: { unreported: ['app'], neverRan: [1] },
  },
  {
    name: 'the dispatch is swallowed',
    from: 'apply',
    faults: [{ kind: 'workflow', effect: 'swallowed', times: 1 }],
    loss: { unreported: firstWave, neverRan: [0] },
  },
  {
    name: 'the workflow cannot start up',
    from: 'apply',
    faults: [{ kind: 'workflow', effect: 'startup_failure', times: 1 }],
    loss: { unreported: firstWave },
  },
  {
    name: 'nothing is heard of a dispatch that was carried out, until its runner comes late',
    from: 'apply',
    faults: [
      { kind: 'request', ...dispatches, effect: 'drop-after', times: 1 },
      { kind: 'webhook', event: 'workflow_run', action: 'requested', effect: 'vanish', times: 1 },
    ],
    runners: { network: 'comes late' },
  },
  {
    name: 'no runner picks the workflow run up for a day',
    from: 'apply',
    runners: { network: 'never comes' },
    loss: { unreported: firstWave },
  },
]

const runners: Mishap[] = [
  { name: 'the runner of network is killed', runners: { network: 'dies' }, loss: { unreported: ['network'] } },
  { name: 'the runner of dns is killed', runners: { dns: 'dies' }, loss: { unreported: ['dns'] } },
  { name: 'the runner of app is killed', runners: { app: 'dies' }, loss: { unreported: ['app'] } },
  {
    name: 'network is believed dead, and reports later',
    runners: { network: 'dies, then reports' },
    loss: { unreported: ['network'], late: ['network'] },
  },
  {
    name: 'app is believed dead, and reports later',
    runners: { app: 'dies, then reports' },
    loss: { unreported: ['app'], late: ['app'] },
  },
  {
    name: 'the runner of network is killed, and its job run again',
    runners: { network: 'dies, is re-run' },
    loss: { unreported: ['network'] },
  },
  { name: 'the runner of network sends all twice', runners: { network: 'sends all twice' } },
].map((mishap) => ({ ...mishap, from: 'apply' }) as Mishap)

/** Each alone is a story with one end; any two of them together are too. */
export const mishaps: { webhooks: readonly Mishap[]; requests: readonly Mishap[]; jobs: readonly Mishap[] } = {
  webhooks,
  requests: [...requests, ...outages],
  jobs: [...workflows, ...runners],
}

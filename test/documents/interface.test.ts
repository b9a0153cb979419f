import { readFileSync } from 'node:fs'
import t from 'tap'
import { progressOf } from '#domain/checks/check-run.ts'
import { limits } from '#domain/limits.ts'
import { reasons } from '#domain/resolution/reasons.ts'
import { queueAttempts } from '#domain/retry.ts'
import { runModes, runStatuses, runTriggers, stackStatuses } from '#domain/run-status.ts'
import { statusOf } from '#errors.ts'
import { metricsOfTheInterface } from './metrics-of-the-interface.ts'

/* docs/interface.md is prose; its tables and lists are compared with the code. */

const read = (name: string): string => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8')

const page = read('interface.md')

const sectionOf = (title: string): string =>
  page.split(/^#{2,3} /m).find((section) => section.startsWith(`${title}\n`)) ?? ''

const rowsOf = (title: string): string[][] =>
  [...sectionOf(title).matchAll(/^\| (.+?) \|$/gm)].map(([, cells = '']) => cells.split(' | ')).slice(1)

t.test('the page has every endpoint with its callers, and no other', async (t) => {
  // that page is compared with the routes of a running service
  const table = [...read('api.md').matchAll(/^\| \[(\S+ \S+)\]\(#[^)]*\) \| ([^|]+) \|/gm)]
  const known = new Map(table.map(([, operation = '', callers = '']) => [operation, callers]))
  t.ok(known.size > 30)
  t.same(new Map(rowsOf('Endpoints').map(([operation = '', callers = '']) => [operation, callers])), known)
})

t.test('the page has every metric with its labels, and no other', async (t) => {
  const shown = rowsOf('Metrics').map(([name = '', labels]) => [name.replaceAll('`', ''), labels])
  const known = Object.entries(metricsOfTheInterface).map(([name, { labels = {} }]) => [
    name,
    Object.keys(labels).join(', ') || 'none',
  ])
  t.same(Object.fromEntries(shown), Object.fromEntries(known))
})

t.test('the page has every error code with its status, and no other', async (t) => {
  const shown = rowsOf('Errors').map(([status, code = '']) => [code.replaceAll('`', ''), Number(status)])
  t.same(Object.fromEntries(shown), statusOf)
})

t.test('the page names every status, mode, trigger and reason where it explains them', async (t) => {
  const run = sectionOf('Run')
  for (const word of [...runModes, ...runTriggers]) t.match(run, new RegExp(`\\b${word}\\b`), word)
  const [runs = '', stacks = ''] = sectionOf('States').split("A stack's row")
  for (const status of runStatuses) t.match(runs, new RegExp(`\\b${status}\\b`), status)
  for (const status of stackStatuses.slice(runStatuses.length)) t.match(stacks, new RegExp(`\\b${status}\\b`), status)
  t.match(sectionOf('RunStack'), new RegExp(reasons.join('.+'), 's'), 'in their order')
})

t.test('the page has every warning, and no other', async (t) => {
  const source = readFileSync(new URL('../../src/domain/texts/warnings.ts', import.meta.url), 'utf8')
  const codes = [...source.matchAll(/^ {4}\| '(\w+)'$/gm)].map(([, code = '']) => code)
  t.ok(codes.length > 10)
  const shown = rowsOf('Warnings').map(([code = '']) => code.replaceAll('`', ''))
  t.same(shown.sort(), codes.sort())
})

t.test('check runs conclude as the page says', async (t) => {
  const rows = rowsOf('Check runs').flatMap(([statuses = '', conclusion]) =>
    statuses.split(', ').map((status) => [status, conclusion]),
  )
  const settled = stackStatuses.filter((status) => progressOf(status).conclusion !== undefined)
  t.same(Object.fromEntries(rows), Object.fromEntries(settled.map((status) => [status, progressOf(status).conclusion])))
})

const mb = (bytes: number): string => `${bytes / 1024 / 1024} MB`
const counted = (chars: number): string => `${chars.toLocaleString('en')} characters`
const kb = (bytes: number): string => `${bytes / 1024} KB`

t.test('the limits are those in the code', async (t) => {
  const said = Object.fromEntries(rowsOf('Limits'))
  for (const [what, limit] of [
    ['body of a graph', mb(limits.graphBodyBytes)],
    ['time for the body of a graph to arrive; to resolve it', `${limits.graphSeconds} s; ${limits.resolveSeconds} s`],
    [
      'graphs that arrive, wait or are recorded, together',
      `${mb(limits.graphBytes)}, then 503 for the organisation with the most`,
    ],
    ['body of another POST', `${mb(limits.bodyBytes)}, nested ${limits.bodyLevels} levels deep`],
    ['memberships of teams that a trial of the gate asks for', `${limits.trialMemberships}`],
    [
      "questions to the code host by a person's trials in an organisation",
      `${limits.trialQuestions} an hour, then 503`,
    ],
    [
      'bodies of other POSTs until they are answered, together',
      `${mb(limits.bodiesBytes)}, then 503 for the organisation, key or address with the most`,
    ],
    ['body of a webhook', mb(limits.webhookBodyBytes)],
    ['time for the body of a webhook to arrive', `${limits.webhookSeconds} s`],
    ['bodies of webhooks of unknown senders, together', `${mb(limits.unverifiedBytes)}, then 503 for the largest`],
    ['page of a list', `${limits.pageSize}, at most ${limits.pageSizeMax}`],
    ['runner token', `once, ${limits.tokenAgeSeconds / 60} minutes`],
    ['name of a check', `${limits.checkNameChars} characters`],
    ['checks of a stack in a run', `${limits.checksOfStack} names, then 409`],
    [
      'summary and details of a check',
      `${kb(limits.checkSummaryBytes)} and ${kb(limits.checkDetailsBytes)}; what is over is cut, by the client and by the service`,
    ],
    ['error_text of a result', `${kb(limits.errorTextBytes)}; what is over is cut`],
    ['addresses in a summary', `${limits.addresses} a list, ${counted(limits.addressChars)} each; what is over is cut`],
    ['job_url, details_url', `${counted(limits.webAddressChars)}; a longer one is left out`],
    [
      'plan_artifact, tool_version',
      `${counted(limits.artifactNameChars)}; ${limits.toolVersionChars}, what is over is cut`,
    ],
    ['stacks that a request names', limits.stacksNamed.toLocaleString('en')],
    ['changed path', counted(limits.pathChars)],
    ['keys in a comment', `100, ${counted(limits.keyChars)} each`],
    [
      'key of a stack',
      `${limits.keyChars.toLocaleString('en')} characters, ${limits.keyBytes.toLocaleString('en')} bytes`,
    ],
    ['tree_hash', `${limits.treeHashChars} characters`],
    ['commands in comments', `${limits.commandsPerMinute} a minute on a pull request`],
    ['name of the app', `${limits.appNameChars} characters`],
    ['jobs of one dispatch', String(limits.matrixJobs)],
    ['attempts at an event or job', String(queueAttempts)],
  ])
    t.equal(said[what ?? ''], limit, what ?? '')
  t.match(
    said['plan text'],
    `${kb(limits.planTextBytes)}, then \`truncated\`; ${kb(limits.planTextKeptBytes)} in the database`,
  )
  const { sessionSeconds, signInSeconds, setupSeconds } = limits
  const spans = [sessionSeconds / 86_400, signInSeconds / 60, setupSeconds / 3600]
  t.same(spans, [7, 10, 1])
  t.equal(said['session; sign-in; setup'], '7 days; 10 minutes; an hour')
})

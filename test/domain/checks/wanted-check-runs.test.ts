import t from 'tap'
import { type CheckRunConclusion, checkRunName } from '#domain/checks/check-run.ts'
import { limits } from '#domain/limits.ts'
import type { RunReport } from '#domain/run-report.ts'
import type { RunStatus, StackStatus } from '#domain/run-status.ts'
import { everyCheckRun } from '#test/domain/checks/every-check-run.ts'
import { reports, run, stack } from '#test/domain/comments/sample-reports.ts'

type Row = [name: string, state: string, title: string]

/** What a person sees in the list of checks: name, conclusion (or status while it is in progress), title. */
const listed = (report: RunReport): Row[] =>
  everyCheckRun(report).map(({ name, status, conclusion, title }) => [name, conclusion ?? status, title])

const cases: Record<string, Row[]> = {
  pending: [
    ['svc/resolve', 'in_progress', 'Waiting for the graph of the repository'],
    ['svc/plan', 'queued', 'Waiting for the graph of the repository'],
  ],
  'nothing affected': [
    ['svc/resolve', 'success', 'No stack is affected'],
    ['svc/plan', 'success', 'No stack is affected'],
  ],
  planning: [
    ['svc/resolve', 'success', '3 stacks in 3 waves'],
    ['svc/plan', 'in_progress', '1 of 3 stacks done'],
    ['svc/plan: network', 'success', 'Planned, +2 ~1 -0 ±0'],
    ['svc/policy: network', 'success', 'pass'],
    ['svc/plan: data/postgres', 'in_progress', 'Planning'],
    ['svc/plan: app:eu', 'queued', 'Waiting'],
  ],
  planned: [
    ['svc/resolve', 'success', '3 stacks in 3 waves'],
    ['svc/plan', 'success', '3 stacks: +2 ~1 -1 ±1, 2 output changes'],
    ['svc/plan: network', 'success', 'Planned, +2 ~1 -0 ±0'],
    ['svc/policy: network', 'success', 'pass'],
    ['svc/plan: data/postgres', 'success', 'Planned, +0 ~0 -1 ±1, 2 output changes'],
    ['svc/policy: data/postgres', 'failure', 'deletion_protection must be on'],
    ['svc/cost: data/postgres', 'neutral', '+310 $/month'],
    ['svc/plan: app:eu', 'success', 'No changes'],
  ],
  failed: [
    ['svc/resolve', 'success', '3 stacks in 3 waves'],
    ['svc/plan', 'failure', '1 failed, 1 unknown, 1 blocked of 3 stacks'],
    ['svc/plan: network', 'failure', 'Failed, exit code 1'],
    ['svc/plan: data/postgres', 'action_required', 'Unknown: its job ended without a report'],
    ['svc/plan: app:eu', 'cancelled', 'Blocked by network, data/postgres'],
  ],
  cycles: [
    ['svc/resolve', 'failure', '2 cycles among the stacks'],
    ['svc/plan', 'failure', 'The stacks could not be resolved'],
  ],
  superseded: [
    ['svc/resolve', 'success', '3 stacks in 3 waves'],
    ['svc/plan', 'cancelled', 'Superseded by a newer commit'],
    ['svc/plan: network', 'success', 'Planned, +2 ~1 -0 ±0'],
    ['svc/policy: network', 'success', 'pass'],
    ['svc/plan: data/postgres', 'cancelled', 'Superseded by a newer commit'],
    ['svc/policy: data/postgres', 'failure', 'deletion_protection must be on'],
    ['svc/cost: data/postgres', 'neutral', '+310 $/month'],
    ['svc/plan: app:eu', 'cancelled', 'Superseded by a newer commit'],
  ],
  'apply failed': [
    ['svc/apply', 'failure', '1 failed, 1 blocked, 1 applied of 3 stacks'],
    ['svc/apply: network', 'success', 'Applied, +2 ~1 -0 ±0'],
    ['svc/policy: network', 'success', 'pass'],
    ['svc/apply: data/postgres', 'failure', 'Failed, exit code 1'],
    ['svc/apply: app:eu', 'cancelled', 'Blocked by data/postgres'],
  ],
  drifted: [],
}

for (const [name, rows] of Object.entries(cases)) {
  t.same(listed(reports[name]!), rows, `the check runs of a run that is "${name}"`)
}

const conclusions: [run: RunStatus, stack: StackStatus, CheckRunConclusion, CheckRunConclusion][] = [
  // run           stack          of the run         of the stack
  ['planned', 'planned', 'success', 'success'],
  ['planned', 'noop', 'success', 'success'],
  ['failed', 'failed', 'failure', 'failure'],
  ['failed', 'unknown', 'failure', 'action_required'],
  ['failed', 'blocked', 'failure', 'cancelled'],
  ['failed', 'skipped', 'failure', 'cancelled'],
  ['unconfirmed', 'unconfirmed', 'action_required', 'action_required'],
  ['superseded', 'superseded', 'cancelled', 'cancelled'],
  ['applied', 'applied', 'success', 'success'],
  // A run has ended: a row that was left open is closed with it.
  ['failed', 'pending', 'failure', 'cancelled'],
  ['failed', 'planning', 'failure', 'cancelled'],
  ['superseded', 'applying', 'cancelled', 'cancelled'],
]

for (const [status, of, ofRun, ofStack] of conclusions) {
  const wanted = everyCheckRun({ run: run({ status }), stacks: [stack('a', { status: of })] })
  t.same(
    wanted.map(({ status, conclusion }) => [status, conclusion]),
    [
      ['completed', 'success'],
      ['completed', ofRun],
      ['completed', ofStack],
    ],
    `a run ${status} with a stack ${of} ends ${ofRun} and ${ofStack}`,
  )
}

t.test('a check run is identified by its run, its stack and its name', async (t) => {
  const { id, html_url: page } = run()
  const wanted = everyCheckRun(reports.planned!)
  t.same(
    wanted.slice(0, 5).map(({ name, externalId, detailsUrl }) => [name, externalId, detailsUrl]),
    [
      ['svc/resolve', id, page],
      ['svc/plan', id, page],
      ['svc/plan: network', `${id}/id-of-7-network`, `${page}?stack=network`],
      ['svc/policy: network', `${id}/id-of-7-network/policy`, `${page}?stack=network`],
      ['svc/plan: data/postgres', `${id}/id-of-13-data-postgres`, `${page}?stack=data%2Fpostgres`],
    ],
  )
  const identities = wanted.map(({ name, externalId }) => `${name} ${externalId}`)
  t.equal(new Set(identities).size, wanted.length)
  t.ok(wanted.every(({ headSha }) => headSha === run().sha))
})

t.test('names over 255 characters are cut, differ and are the same each time', async (t) => {
  const deep = 'a/rather/deep/directory/'.repeat(12)
  const names = ['one', 'two'].map((end) => checkRunName('plan', deep + end))
  t.ok(names.every((name) => name.length === 255 && name.startsWith('svc/plan: a/rather/')))
  t.not(names[0], names[1])
  t.equal(names[0], checkRunName('plan', `${deep}one`))
  t.equal(checkRunName('plan', 'x'.repeat(245)), `svc/plan: ${'x'.repeat(245)}`, 'one of 255 is whole')
})

t.test('svc/resolve shows what a resolution found: waves, reasons, cycles', async (t) => {
  const [resolved] = everyCheckRun(reports.planned!)
  t.match(
    resolved?.summary,
    /\| 2 \| \[`data\/postgres`\]\(\S+\) \| reads state, dependent via `network` \| `production` \|/,
  )
  const [failed] = everyCheckRun(reports.cycles!)
  t.match(failed?.summary, /- `a → b → a`\n- `net\/vpc → net\/dns → net\/vpn → net\/vpc`/)
})

t.test('the check run of a stack contains its plan, or only its addresses if the text is withheld', async (t) => {
  const ofStack = (name: string, at: number) => everyCheckRun(reports[name]!)[at]!
  t.match(ofStack('planned', 2).text, /^```diff\nTerraform will perform[\s\S]*\n```$/)
  t.equal(ofStack('summary only', 2).text, '```diff\n-/+ vault.c\n! vault.b["k"]\n+ vault.a\n```')
  t.match(ofStack('failed', 2).text, /^```\nError: Unsupported argument\n/)
  t.match(ofStack('failed', 3).summary, /the tool may still hold its state lock/)
  t.equal(ofStack('failed', 3).text, undefined)
  t.match(ofStack('planned', 4).summary, /- Locked by #9: an apply has to wait for it\n/)
  t.match(ofStack('planned', 5).text, '```\nrule 7\nrule 9\n```')
  t.match(ofStack('hostile names and texts', 3).detailsUrl, 'https://x.test/a)|b')
})

t.test('outputs are cut at a line, within the limit, with a line that says so and a link', async (t) => {
  const line = `${'plan '.repeat(20)}\n`
  const huge = stack('huge', { plan_text: line.repeat(3000), error_text: line.repeat(900), truncated: true })
  const many = Array.from({ length: 3000 }, (_, at) => stack(`deep/down/in/the/tree/${at}`))
  const checks = [{ name: 'c', status: 'fail' as const, summary: 'x', details: line.repeat(3000) }]
  const wanted = everyCheckRun({ run: run(), stacks: [{ ...huge, checks }, ...many] })
  for (const { name, summary, text = '' } of wanted) {
    if (summary.length > limits.outputChars || text.length > limits.outputChars) t.fail(`${name} is too long`)
  }
  const [, rollUp, ...rest] = wanted
  t.match(rollUp?.summary, /\n\n… and \[\d+ more stacks\]\(\S+\): `deep\/.* …$/)
  const own = rest.find(({ name }) => name === 'svc/plan: huge')!
  const url = `${run().html_url}?stack=huge`
  t.match(own.text, '… the rest of the error is in the log of the job.\n```\n\nThe text was cut before it got here: ')
  t.ok(own.text?.endsWith(`plan \n… cut here. The whole text: ${url}\n\`\`\``))
  t.ok(own.text!.length > limits.outputChars - 300, 'and uses the available room')
})

import { readFileSync } from 'node:fs'
import t from 'tap'
import { parseRepoConfig } from '#domain/config/config-file.ts'
import { evaluateGate, type PullFacts } from '#domain/gate/evaluate-gate.ts'
import { layers } from '#domain/gate/verdict.ts'
import { check, facts, OLD, owners, plan, policy, pulled, review, stack } from '#test/domain/gate/gate-facts.ts'
import { asked, none, ruled } from '#test/domain/gate/rules/ruled.ts'

/*
 * docs/gate.md quotes what each layer says. Here each layer is made to say it: a message that is missing from the page fails,
 * and so does a row that no layer says.
 */

const page = readFileSync(new URL('../../docs/gate.md', import.meta.url), 'utf8')

type Row = { layer: string; text: string; says: RegExp }

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

const sections = page.split(/^## /m).slice(1)

const rows: Row[] = sections.flatMap((section) => {
  const layer = section.slice(0, section.indexOf('\n'))
  return [...section.matchAll(/^\| (.+?) \| (.+?) \| (.+?) \|$/gm)].flatMap(([, name, what = '', next = '']) => {
    if (name === 'name' || !(layers as readonly string[]).includes(layer)) return []
    const [one, other] = [what, next].map((text) => text.split('…').map(escaped).join('.+'))
    // a text quoted in a message may end in a question
    return [{ layer, text: `${what}. ${next}.`, says: new RegExp(`^${one}\\.? ${other}\\.$`, 's') }]
  })
})

const invalid = parseRepoConfig('version: 1\napply:\n  aprovals: 2\n')

const withStacks = (...stacks: ReturnType<typeof stack>[]): PullFacts => facts({ plan: plan({ stacks }) })

const planned = (...statuses: string[]): PullFacts =>
  withStacks(...statuses.map((status) => stack(status, { status: status as 'planned' })))

const { requester: _, ...nobodysApply }: PullFacts = facts()

const protecting = ruled([{ protect: ['*'], approve_teams: ['dba'] }])

const losing = (key: string) => stack(key, { checks: [], summary: { ...none, destroys: 1, destroyed: ['a.b'] } })

/** What is in the way, one thing or several at a time. */
const cases: PullFacts[] = [
  facts({ policy: invalid }),
  facts({ policy: policy({ mode: 'on_merge' }) }),
  facts({ policy: policy({ mode: 'off' }) }),
  facts({ permissions: [{ login: 'rob', permission: 'read' }] }),
  facts({ permissions: [] }),
  facts({ memberships: [] }),
  facts({ policy: policy({ teams: ['sre'] }), memberships: [{ team: 'acme/sre', login: 'rob', member: false }] }),
  nobodysApply,
  facts({ reviews: [] }),
  pulled({ state: 'closed' }),
  pulled({ state: 'closed', merged: true }),
  pulled({ draft: true }),
  pulled({ mergeableState: 'behind' }),
  pulled({ mergeable: false }),
  pulled({ mergeable: null }),
  facts({ codeOwners: owners('* @ann @rob') }),
  facts({ codeOwners: owners('* someone@acme.example') }),
  facts({ codeOwners: owners('* nobody') }),
  facts({ codeOwners: null }),
  facts({ changedPaths: null }),
  pulled({ baseRef: 'release' }),
  { ...pulled({ baseRef: 'release' }), policy: policy({ base_branches: ['main'] }) },
  facts({ requester: 'ann' }),
  facts({ pusher: { login: 'rob', sha: 'beef001' } }),
  facts({ pusher: null }),
  facts({ askedSha: OLD }),
  facts({ plan: null }),
  { ...pulled({ fork: true }), plan: null },
  facts({ plan: plan({ sha: OLD }) }),
  facts({ plan: plan({ status: 'planning', stacks: [stack('a', { status: 'planning', checks: [] })] }) }),
  facts({ plan: plan({ status: 'superseded' }) }),
  facts({ plan: plan({ status: 'failed', failure: 'a → b → a' }) }),
  planned('pending', 'planning', 'failed', 'unconfirmed', 'unknown', 'blocked'),
  withStacks(stack('a', { overtaken: { runId: 'run-8', prNumber: 12 } })),
  withStacks(stack('a', { unread: true })),
  facts({ stacks: ['elsewhere'] }),
  facts({ plan: plan({ stacks: [] }) }),
  withStacks(stack('a', { checks: [check('cost', 'fail', 'too dear')] })),
  withStacks(stack('a', { checks: [] })),
  facts({ locks: [{ stackKey: 'app', runId: 'run-3', prNumber: 3 }] }),
  facts({ locks: [{ stackKey: 'app', runId: 'run-3' }] }),
  facts({ otherApply: { runId: 'run-5' } }),
  asked(
    ruled([
      { match: 'prod/**', mode: 'on_merge' },
      { match: 'dev/**', mode: 'off' },
    ]),
  ),
  asked(ruled([{ approve_teams: ['dba'] }])),
  asked(ruled([{ approve_teams: ['dba'] }]), { reviews: [review('olga', 'APPROVED')] }),
  asked(ruled([{ four_eyes: true, code_owners: true, checks: ['cost'], approvals: 1, teams: ['sre'] }]), {
    requester: 'ann',
  }),
  asked(protecting, { plan: plan({ stacks: [losing('a')] }) }),
  asked(protecting, { plan: plan({ stacks: [losing('a'), losing('b')] }) }),
  asked(ruled([], {}, { checks: [{ name: 'cost', run: 'x', override: { teams: ['budget'] } }] }), {
    plan: plan({ stacks: [stack('a', { checks: [check('cost', 'fail')] })] }),
  }),
  asked(ruled([], { windows: [{ deny: '* * * * fri' }] }), { at: '2027-03-05T10:00:00Z' }),
  asked(ruled([], { windows: [{ allow: '* 9 * * *', except_teams: ['sre'] }] }), { at: '2027-03-05T10:00:00Z' }),
  asked(ruled([], { windows: [{ allow: '2027-01-01' }] }), { at: '2027-03-05T10:00:00Z' }),
  asked(ruled([], { windows: [{ allow: '2027-01-01' }] })),
]

const failures = cases.flatMap((given) => evaluateGate(given).failures)

t.test('every layer has its section, in the order in which failures are listed', async (t) => {
  const titles = sections.map((section) => section.slice(0, section.indexOf('\n')))
  t.same(titles.slice(1), layers)
  for (const layer of layers) t.match(titles[0] && sections[0], `\n| \`${layer}\` | ✅ |`, layer)
})

t.test('every message of a layer is on the page, and every message on the page is some layer’s', async (t) => {
  for (const layer of layers) t.ok(rows.filter((row) => row.layer === layer).length > 0, layer)
  for (const { layer, reason } of failures)
    t.ok(
      rows.some((row) => row.layer === layer && row.says.test(reason)),
      `${layer}: ${reason}`,
    )
  for (const { layer, text, says } of rows)
    t.ok(
      failures.some((failure) => failure.layer === layer && says.test(failure.reason)),
      `${layer}: ${text}`,
    )
})

t.test('every name that a layer gives a failure is in its section', async (t) => {
  for (const layer of layers) {
    const file = `../../src/domain/gate/layers/${layer.replaceAll('_', '-')}.ts`
    const names = [...readFileSync(new URL(file, import.meta.url), 'utf8').matchAll(/\bname: '(\w+)'/g)]
    const section = sections.find((one) => one.startsWith(`${layer}\n`)) ?? ''
    for (const [, name] of names) t.match(section, `| \`${name}\` |`, `${layer}: ${name}`)
  }
})

t.test('layers that the page calls not asked for an apply are not asked', async (t) => {
  const table = [...page.matchAll(/^\| `(\w+)` \| (.) \| (.)[^|]*\| (.)[^|]*\|$/gmu)]
  t.equal(table.length, layers.length)
  const whole = policy({ rules: [{ protect: ['*'], approve_teams: ['dba'] }], windows: [{ deny: '* * * * *' }] })
  const merged = evaluateGate({ ...facts({ policy: whole }), how: 'on_merge' })
  const manual = evaluateGate({ how: 'manual', policy: whole })
  for (const [, layer = '', , onMerge, byKey] of table) {
    const isOff = ({ layers: reports }: typeof merged) => reports.find((one) => one.layer === layer)?.verdict === 'off'
    t.same([onMerge, byKey], [isOff(merged) ? '➖' : '✅', isOff(manual) ? '➖' : '✅'], layer)
  }
})

import { readFileSync } from 'node:fs'
import t from 'tap'
import type { PullRequestHandle } from '#emulator/handles.ts'
import { startWorld } from '#test/helpers/world.ts'
import { comment, planned, pushPolicy, runsOf } from '#test/scenes/commenting.ts'
import { addKey, opened, planning, query, send, stack } from '#test/scenes/scene.ts'

/* The policies of docs/policies.md, as they stand there. */

let ahead = 0
const world = await startWorld(t, { hostClock: { now: () => new Date(Date.now() + ahead) } })
const { github, repository } = world
for (const login of ['ada', 'rob', 'eve', 'olga', 'dora']) repository.setPermission(login, 'write')
const acme = github.organization('acme')
const key = await addKey(world)

const page = readFileSync(new URL('../../../docs/policies.md', import.meta.url), 'utf8')

const policyOf = (title: string): string => {
  const [, text = ''] = page.split(`## ${title}\n`)
  return /```yaml\n(.*?)```/s.exec(text)?.[1] ?? ''
}

const failuresOf = (answers: readonly string[]): string[] =>
  [...(answers[0] ?? '').matchAll(/^- (`\w+`: .*)$/gm)].map(([, line = '']) => line.replaceAll('\\', ''))

const refused = async (pull: PullRequestHandle, by = 'rob', words = ''): Promise<string[]> => {
  const { answers, reactions } = await comment(world, pull, `svc apply${words}`, by)
  t.same(reactions, ['eyes'])
  return failuresOf(answers)
}

const passes = async (pull: PullRequestHandle, by = 'rob', words = ''): Promise<string> => {
  const { answers, reactions } = await comment(world, pull, `svc apply${words}`, by)
  t.same(answers, [])
  t.same(reactions, ['eyes', 'rocket'])
  return (await runsOf(world, pull, 'apply')).at(-1) ?? ''
}

/** A planned pull request whose stacks do this. */
const doing = async (path: string, summary: object) => {
  const { pull, job, id } = await planning(world, [path])
  const counts = { adds: 0, changes: 0, destroys: 0, replaces: 0, ...summary }
  const { status } = await job.report(id, path, { summary: counts })
  t.equal(status, 200)
  await world.settled()
  return { pull, id }
}

t.test('production and the rest', async (t) => {
  await pushPolicy(world, policyOf('Production and the rest'))
  acme.team('sre').add('eve')
  const { pull, id } = await planned(world, ['live/prod/app', 'live/staging/app'])
  const before = await refused(pull)
  t.match(before, [
    /^`permission`: rob is not in the team that may apply: acme\/sre \(apply\.rules\[0\]\.teams of the rule production\)/,
    /^`approval`: 0 of 2 needed approvals of the head commit \w+ \(apply\.rules\[0\]\.approvals of the rule production\)/,
  ])
  t.equal(before.length, 2)
  const { answers } = await comment(world, pull, 'svc apply')
  t.match(answers, [
    /\*\*Fewest people who could let it through:\*\* approved by 2 with push permission; asked for by a member of acme\/sre\./,
  ])
  const { body } = await send(world, key, `/v1/runs/${id}/gate`)
  t.match(body.failures, [
    {
      layer: 'approval',
      stacks: ['live/prod/app'],
      rule: { place: 'apply.rules[0]', name: 'production' },
      could: { act: 'approve', people: 2 },
    },
  ])
  pull.review('rob', 'approve')
  pull.review('olga', 'approve')
  t.equal(await passes(pull, 'eve'), 'applying: live/prod/app live/staging/app')
  const other = await planned(world, ['live/prod/web', 'live/staging/web'])
  t.equal(await passes(other.pull, 'rob', ' live/staging/web'), 'applying: live/staging/web', 'staging needs nobody')
})

t.test('databases', async (t) => {
  await pushPolicy(world, policyOf('Databases'))
  acme.team('dba').add('dora')
  const { pull, id } = await doing('db', { destroys: 1, destroyed: ['module.core.aws_db_instance.main'] })
  t.match(await refused(pull), [
    /^`approval`: 0 of 1 needed approval/,
    /^`protect`: Stack db destroys or replaces module\.core\.aws_db_instance\.main .*no member of acme\/dba approved \w+\. Ask a member of acme\/dba/,
  ])
  pull.review('olga', 'approve')
  t.match(await refused(pull), [/^`protect`/], 'any other approval is not enough')
  const { body } = await send(world, key, `/v1/runs/${id}/gate`)
  t.match(body.facts.find(({ layer }: { layer: string }) => layer === 'protect').evidence[0], {
    holds: false,
    stacks: ['db'],
    addresses: ['module.core.aws_db_instance.main'],
  })
  pull.review('dora', 'approve')
  t.equal(await passes(pull), 'applying: db')
  const cut = await doing('db-cut', { replaces: 3, replaced: ['a.b'] })
  cut.pull.review('olga', 'approve')
  t.match(
    await refused(cut.pull),
    [/what is not known of db-cut, whose plans list only part of it/],
    'a list that was cut',
  )
  const harmless = await doing('db-new', { adds: 1, added: ['aws_db_instance.new'] })
  harmless.pull.review('olga', 'approve')
  t.equal(await passes(harmless.pull), 'applying: db-new')
})

t.test('friday evening', async (t) => {
  // whatever day it is: the days around
  const [yesterday, tomorrow] = [-1, 1].map((days) =>
    new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10),
  )
  await pushPolicy(world, policyOf('Friday evening').replace('"* 17-23 * * fri"', `${yesterday}..${tomorrow}`))
  acme.team('on-call').add('olga')
  const { pull, id } = await planned(world, ['frozen'])
  const shown = pull.checkRuns().find(({ name }) => name === 'svc/plan')
  t.match(
    shown?.summary,
    /Applies wait until \w+ .* 00:00 Europe\/Berlin: no apply begins at/,
    'the check run says it before',
  )
  t.match(await refused(pull), [
    /^`window`: Now no apply begins at .* \(Europe\/Berlin\), by apply\.windows\[0\]: nobody looks after it until Monday\. Wait until \w+ .* 00:00 Europe\/Berlin, or have a member of on-call ask for the apply/,
  ])
  const { body } = await send(world, key, `/v1/runs/${id}/gate`)
  t.match(body.facts.at(-1), { layer: 'window', verdict: 'pending', evidence: [{ holds: false, opens_at: String }] })
  t.equal(await passes(pull, 'olga'), 'applying: frozen')
})

t.test('the budget', async (t) => {
  await pushPolicy(world, policyOf('The budget'))
  acme.team('budget').add('dora')
  const { pull, job, id, stackPath } = await planning(world, ['dear'])
  await job.post(`${stackPath('dear')}/checks/cost`, { status: 'fail', summary: 'too dear' })
  await job.report(id, 'dear')
  await world.settled()
  const says =
    /^`check`: Stack dear failed the check cost: too dear\. Fix what cost names and push, or, to waive it, ask a member of acme\/budget/
  t.match(await refused(pull), [says])
  ahead = 5000
  pull.review('olga', 'approve')
  t.match(await refused(pull), [says], 'not everybody may')
  pull.review('dora', 'approve')
  t.equal(await passes(pull), 'applying: dear')
  t.match(await query(world, `select actor, target, details from audit where action = 'check_waived'`), [
    {
      actor: 'dora',
      target: 'acme/infra',
      details: { check: 'cost', team: 'acme/budget', stacks: ['dear'], pr: pull.number },
    },
  ])
  const shown = pull.checkRuns().find(({ name }) => name === 'svc/cost: dear')
  t.match(shown, { conclusion: 'neutral', title: 'Waived by dora: too dear' })
  const run = await send(world, key, `/v1/runs/${id}`)
  t.match(run.body.stacks[0].checks, [{ name: 'cost', status: 'fail', waived_by: 'dora' }])
})

t.test('rights and large changes', async (t) => {
  await pushPolicy(world, policyOf('Rights and large changes'))
  acme.team('security').add('eve')
  const changed = ['aws_iam_role.admin', ...Array.from({ length: 19 }, (_, i) => `aws_thing.x${i}`)]
  const { pull } = await doing('rights', { changes: 20, changed })
  t.match(await refused(pull, 'ada'), [
    /^`approval`: No member of acme\/security approved \w+ \(apply\.rules\[0\]\.approve_teams of the rule rights\)/,
    /^`four_eyes`: ada wrote this pull request and may not apply it alone \(apply\.rules\[1\]\.four_eyes of the rule large\)/,
  ])
  pull.review('eve', 'approve')
  t.equal(await passes(pull, 'rob'), 'applying: rights')
  const small = await doing('small', { changes: 19, changed: changed.slice(1) })
  t.equal(await passes(small.pull, 'ada'), 'applying: small', 'neither')
})

/** Everything in which a file could be looser than the default branch's. */
const looser = {
  version: 1,
  stacks: [{ match: '**', environment: 'default', tags: ['free'] }],
  checks: [{ name: 'cost', run: 'true', mode: 'warn', override: { teams: ['everybody'] } }],
  apply: {
    ...{ mode: 'comment', approvals: 0, code_owners: false, four_eyes: false, last_push: false, mergeable: false },
    ...{ teams: [], checks: [], base_branches: ['**'], rules: [], windows: [] },
  },
}

const strict = {
  version: 1,
  stacks: [{ match: 'own/**', environment: 'production', tags: ['critical'] }],
  checks: [{ name: 'cost', run: 'true' }],
  apply: {
    ...{ approvals: 1, four_eyes: true, code_owners: true, teams: ['nobody'], checks: ['cost', 'lint'] },
    rules: [
      { environment: 'production', approvals: 2 },
      { tag: 'critical', approve_teams: ['nobody'] },
      { tag: 'critical', protect: ['a.b'], approve_teams: ['nobody'] },
      { match: 'own/**', checks: ['policy'], mode: 'off' },
    ],
    windows: [{ allow: '2020-01-01' }],
  },
}

/** What stands in the way of a pull request with this file, whose job says the same of its stacks. */
const failuresWith = async (path: string, file: object | undefined): Promise<string[]> => {
  const { job, id } = await opened(world, file === undefined ? {} : { 'svc.yml': JSON.stringify(file) })
  const node = stack(path, { environment: 'default', tags: ['free'] })
  const { status, body } = await job.upload(id, {
    ...{ graph: { stacks: [node] }, stacks: [path] },
    ...(file === undefined ? {} : { config: { tool: 'terraform', ...file } }),
  })
  t.equal(status, 200, JSON.stringify(body))
  await job.post(`/v1/runs/${id}/stacks/${encodeURIComponent(path)}/checks/cost`, { status: 'fail' })
  await job.report(id, path, { summary: { adds: 0, changes: 0, destroys: 1, replaces: 0, destroyed: ['a.b'] } })
  await world.settled()
  const gate = await send(world, key, `/v1/runs/${id}/gate`)
  return gate.body.failures.map(
    ({ layer, name, rule, stacks }: { layer: string; name: string; rule?: { place: string }; stacks: string[] }) =>
      [layer, name, rule?.place ?? 'all', stacks.length].join(' '),
  )
}

t.test('nothing of a pull request’s own file loosens a rule, key by key', async (t) => {
  const schema = JSON.parse(readFileSync(new URL('../../../docs/svc.schema.json', import.meta.url), 'utf8'))
  t.same(Object.keys(looser.apply).sort(), Object.keys(schema.properties.apply.properties).sort(), 'every key there is')
  await pushPolicy(world, JSON.stringify(strict))
  const expected = await failuresWith('own/none', undefined)
  t.same(expected, [
    'mode off apply.rules[3] 1',
    'approval approvals apply.rules[0] 1',
    'approval approve_teams apply.rules[1] 1',
    'code_owners CODEOWNERS all 0',
    'protect protected apply.rules[2] 1',
    'check cost all 1',
    'check lint all 1',
    'check policy apply.rules[3] 1',
    'window never all 0',
  ])
  const files: [about: string, file: object][] = [
    ['all of it', looser],
    ...Object.entries(looser.apply).map(([name, value]): [string, object] => [
      `apply.${name}`,
      { ...strict, apply: { ...strict.apply, [name]: value } },
    ]),
    ...strict.apply.rules.map((_, at): [string, object] => [
      `without apply.rules[${at}]`,
      { ...strict, apply: { ...strict.apply, rules: strict.apply.rules.toSpliced(at, 1) } },
    ]),
    ['stacks', { ...strict, stacks: looser.stacks }],
    ['checks', { ...strict, checks: looser.checks }],
    ['ignore', { ...strict, ignore: ['own/**'] }],
  ]
  for (const [at, [about, file]] of files.entries()) t.same(await failuresWith(`own/${at}`, file), expected, about)
})

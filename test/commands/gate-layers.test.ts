import t from 'tap'
import type { PullRequestHandle } from '#emulator/handles.ts'
import { playJob } from '#test/helpers/runner.ts'
import { startWorld } from '#test/helpers/world.ts'
import { report } from './applying.ts'
import { answersTo, comment, planned, policy, pushAndPlan, runsOf } from './commenting.ts'
import { addKey, hostGate, query, send, stack } from './scene.ts'

const host = hostGate()
const pauses: number[] = []
const pause = async (ms: number): Promise<void> => {
  pauses.push(ms)
}
const world = await startWorld(t, { replaced: { fetch: host.fetch, pause } })
const { github, repository } = world
for (const login of ['ada', 'rob', 'eve', 'olga']) repository.setPermission(login, 'write')
const sre = github.organization('acme').team('sre')
const key = await addKey(world)
const base = new URL(github.url).pathname.replace(/\/$/, '')

type Scene = { pull: PullRequestHandle; id: string; keys: string[] }
type Row = {
  policy: object
  /** What stands in the way, of a pull request that is planned otherwise. */
  refusedBy?: (scene: Scene) => unknown
  says: RegExp
  cure: (scene: Scene) => unknown
  by?: string
  cured?: { by?: string }
}

/** Layers of the gate, in a policy that asks for them: what refuses, what the answer says, and what lets the apply through. */
const rows: Record<string, Row> = {
  config: {
    policy: {},
    refusedBy: () => repository.push({ changes: { 'svc.yml': 'version: 1\napply: { mode: always }\n' } }),
    says: /`config`: svc\.yml of the default branch is invalid in line 2: apply\.mode/,
    cure: () => policy(world, {}),
  },
  mode: {
    policy: { mode: 'off' },
    says: /`mode`: Pull requests of this repository apply nothing/,
    cure: () => policy(world, {}),
  },
  permission: {
    policy: { teams: ['sre'] },
    refusedBy: () => sre.add('eve'),
    says: /`permission`: rob is not in the team that may apply: acme\/sre/,
    cure: () => sre.add('rob'),
  },
  approval: {
    policy: { approvals: 1 },
    // of a commit that is the head no more
    refusedBy: async ({ pull, keys }) => {
      pull.review('eve', 'approve')
      await pushAndPlan(world, pull, keys)
    },
    says: /`approval`: 0 of 1 needed approval of the head commit \w+; not counted: eve approved the older commit/,
    cure: ({ pull }) => pull.review('eve', 'approve'),
  },
  mergeable: {
    policy: {},
    refusedBy: ({ pull }) => pull.setDraft(true),
    says: /`mergeable`: The pull request is a draft/,
    cure: ({ pull }) => pull.setDraft(false),
  },
  code_owners: {
    policy: { code_owners: true },
    refusedBy: async ({ pull }) => {
      await repository.push({ changes: { CODEOWNERS: 'notes/ @olga\n' } })
      pull.review('eve', 'approve')
    },
    says: /`code_owners`: No owner by CODEOWNERS:1 /,
    cure: ({ pull }) => pull.review('olga', 'approve'),
  },
  four_eyes: {
    policy: { four_eyes: true },
    says: /`four_eyes`: ada wrote this pull request and may not apply it alone/,
    by: 'ada',
    cure: () => undefined,
    cured: { by: 'rob' },
  },
  plan: {
    policy: {},
    refusedBy: async ({ pull }) => {
      await pull.push({ 'notes/more.md': 'more\n' })
      await world.settled()
    },
    says: /`plan`: The plan is of \w+, and the head is \w+/,
    cure: ({ pull, keys }) => pushAndPlan(world, pull, keys),
  },
  check: {
    policy: { checks: ['cost'] },
    says: /`check`: Stack check has no verdict of the required check cost/,
    cure: () => policy(world, {}),
  },
  lock: {
    policy: {},
    refusedBy: async ({ keys }) => {
      const other = await planned(world, keys)
      await comment(world, other.pull, 'svc apply')
      await report(world, await newestRun(other.pull, 'apply'), 'lock')
      holder = other.pull
    },
    says: /`lock`: Stack lock is locked by pull request #.*svc unlock/,
    cure: () => comment(world, holder as PullRequestHandle, 'svc unlock'),
  },
  in_flight: {
    policy: {},
    refusedBy: ({ pull }) => comment(world, pull, 'svc apply'),
    says: /`in_flight`: The apply run [\w-]+ of this pull request is still in flight/,
    cure: async ({ pull, keys }) => {
      await report(world, await newestRun(pull, 'apply'), 'in_flight', 'failed')
      await pushAndPlan(world, pull, keys)
    },
  },
}

let holder: PullRequestHandle | undefined

const newestRun = async (pull: PullRequestHandle, mode: string): Promise<string> =>
  (
    await query(
      world,
      `select id from runs where pr_number = ${pull.number} and mode = '${mode}' order by created_at desc limit 1`,
    )
  )[0]?.id

for (const [layer, row] of Object.entries(rows)) {
  t.test(`${layer} refuses an apply, and lets it through when it is cured`, async (t) => {
    await policy(world, row.policy)
    const { pull, id } = await planned(world, [layer])
    const scene = { pull, id, keys: [layer] }
    await row.refusedBy?.(scene)
    await world.settled()
    const before = (await runsOf(world, pull, 'apply')).length
    const refused = await comment(world, pull, 'svc apply', row.by)
    t.same(refused.reactions, ['eyes'])
    t.equal(refused.answers.length, 1)
    const [answer = ''] = refused.answers
    t.match(answer, row.says)
    t.match(answer, /Apply of \w{7} refused: (one thing stands|2 things stand) in the way/)
    t.match(answer, /\*\*Next:\*\*/)
    t.equal((await runsOf(world, pull, 'apply')).length, before, 'no run')

    const { body } = await send(world, key, `/v1/runs/${await newestRun(pull, 'plan')}/gate`)
    if (layer !== 'permission' && layer !== 'four_eyes') {
      t.same([...new Set(body.failures.map((failure: { layer: string }) => failure.layer))], [layer])
      t.match(body, { allowed: false, failures: [{ layer, reason: String, stacks: Array }] })
    }

    await row.cure(scene)
    await world.settled()
    const let_through = await comment(world, pull, 'svc apply', row.cured?.by)
    t.same(let_through.reactions, ['eyes', 'rocket'])
    t.same(let_through.answers, [], 'the comment of the run is enough')
    t.match((await runsOf(world, pull, 'apply')).at(-1), `applying: ${layer}`)
  })
}

t.test('everything that stands in the way comes in one answer', async (t) => {
  await policy(world, { approvals: 2, four_eyes: true, teams: ['nobody'], checks: ['cost'] })
  const { pull } = await planned(world, ['many'])
  await pull.setDraft(true)
  await world.settled()
  const { answers } = await comment(world, pull, 'svc apply', 'ada')
  t.match(answers[0], /6 things stand in the way|5 things stand in the way/)
  const layers = [...(answers[0] ?? '').matchAll(/^- `(\w+)`:/gm)].map(([, layer]) => layer)
  t.same(layers, ['permission', 'approval', 'mergeable', 'four_eyes', 'check'])
})

t.test('mergeability that is still being computed is asked for again, and is then not known', async (t) => {
  await policy(world, {})
  const { pull } = await planned(world, ['slow'])
  let answers = 0
  const path = `${base}/repos/acme/infra/pulls/${pull.number}`
  host.change((asked, body) => {
    if (asked !== path) return body
    answers += 1
    return answers > 3 ? body : { ...body, mergeable: null, mergeable_state: 'unknown' }
  })
  pauses.length = 0
  const known = await comment(world, pull, 'svc help')
  t.match(known.answers[0], /`mergeable` \| ✅/)
  t.same(new Set(pauses), new Set([1000]))
  host.change((asked, body) => (asked === path ? { ...body, mergeable: null, mergeable_state: 'unknown' } : body))
  pauses.length = 0
  const unknown = await comment(world, pull, 'svc apply')
  host.change(undefined)
  t.match(unknown.answers[0], /`mergeable`: Whether the pull request can be merged is not known yet/)
  t.equal(pauses.length, 4, 'asked five times')
})

t.test('the gate of a run: whom it is for, and what has none', async (t) => {
  await policy(world, {})
  const { pull, id } = await planned(world, ['dry'])
  const gate = await send(world, key, `/v1/runs/${id}/gate`)
  t.equal(gate.status, 200)
  t.match(gate.body, { allowed: true, failures: [] })
  t.same(
    gate.body.facts.map((fact: { layer: string; verdict: string }) => `${fact.layer} ${fact.verdict}`),
    [
      'config pass',
      'mode pass',
      'permission unknown',
      'approval off',
      'mergeable pass',
      'code_owners off',
      'four_eyes off',
      'plan pass',
      'check pass',
      'lock pass',
      'in_flight pass',
    ],
  )
  t.match(
    gate.body.facts.find((fact: { layer: string }) => fact.layer === 'plan').evidence,
    [{ holds: true, sha: pull.headSha(), run_id: id }],
    'with the evidence',
  )
  t.same(await runsOf(world, pull, 'apply'), [], 'and nothing is applied')
  await comment(world, pull, 'svc apply')
  const applyId = await newestRun(pull, 'apply')
  t.match(await send(world, key, `/v1/runs/${applyId}/gate`), { status: 409, body: { code: 'conflict' } })
  const nowhere = await send(world, key, '/v1/runs/00000000-0000-4000-8000-000000000000/gate')
  t.match(nowhere, { status: 404, body: { code: 'not_found' } })
  await pushAndPlan(world, pull, ['dry'])
  const { body } = await send(world, key, `/v1/runs/${id}/gate`)
  t.match(
    body.failures.map((failure: { name: string }) => failure.name),
    ['head', 'in_flight'].slice(0, 1),
  )
})

t.test('an apply is of the head that was planned when its comment came, and of no later one', async (t) => {
  await policy(world, {})
  const { pull } = await planned(world, ['seen'])
  const held = host.hold(`${base}/repos/acme/infra/pulls/${pull.number}`)
  const { id } = pull.comment('svc apply', 'rob')
  await held.arrived
  // while the command waits for the code host
  await pull.push({ 'notes/unseen.md': 'unseen\n' })
  const job = playJob(world, pull)
  const runId = String((await job.open()).body.run_id)
  await job.upload(runId, { graph: { stacks: [stack('seen')] }, stacks: ['seen'] })
  await job.report(runId, 'seen')
  held.release()
  await world.settled()
  t.same(await runsOf(world, pull, 'apply'), [])
  t.match(answersTo(pull, `comment ${id}`), [/`plan`: The head moved from \w+ to \w+ after the apply was asked for/])
})

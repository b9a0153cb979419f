import t from 'tap'
import type { PullRequestHandle } from '#emulator/handles.ts'
import { startWorld } from '#test/helpers/world.ts'
import { report } from '#test/scenes/applying.ts'
import { comment, newestRun, planned, policy, pushAndPlan, pushPolicy, runsOf } from '#test/scenes/commenting.ts'
import { addKey, send } from '#test/scenes/scene.ts'

const world = await startWorld(t)
const { github, repository } = world
for (const login of ['ada', 'rob', 'eve', 'olga']) repository.setPermission(login, 'write')
const sre = github.organization('acme').team('sre')
const key = await addKey(world)

type Scene = { pull: PullRequestHandle; id: string; keys: string[] }
type Row = {
  policy: object
  /** Makes the layer refuse a pull request that is otherwise fine. */
  refusedBy?: (scene: Scene) => unknown
  says: RegExp
  cure: (scene: Scene) => unknown
  by?: string
  cured?: { by?: string }
}

/**
 * Layers of the gate, in a policy that asks for them: what refuses, what the answer says, and what makes the layer allow the
 * apply.
 */
const rows: Record<string, Row> = {
  config: {
    policy: {},
    refusedBy: () => pushPolicy(world, 'version: 1\napply: { mode: always }\n'),
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
    // of a commit that is no longer the head
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
  base: {
    policy: {},
    refusedBy: async ({ pull, keys }) => {
      await repository.push({ branch: 'mine', changes: { 'notes/mine.md': 'mine\n' } })
      await pull.retarget('mine')
      await world.settled()
      await pushAndPlan(world, pull, keys)
    },
    says: /`base`: The pull request goes into mine, and is applied only into the default branch main/,
    cure: () => policy(world, { base_branches: ['main', 'mine'] }),
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
      await report(world, await newestRun(world, pull, 'apply'), 'in_flight', 'failed')
      await pushAndPlan(world, pull, keys)
    },
  },
}

let holder: PullRequestHandle | undefined

for (const [layer, row] of Object.entries(rows)) {
  t.test(`${layer} refuses an apply, and allows it once the cause is gone`, async (t) => {
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

    const { body } = await send(world, key, `/v1/runs/${await newestRun(world, pull, 'plan')}/gate`)
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

t.test('a colleague who pushes to a pull request is neither its reviewer nor its second pair of eyes', async (t) => {
  await policy(world, { approvals: 1, four_eyes: true })
  const { pull } = await planned(world, ['colleague'])
  await pushAndPlan(world, pull, ['colleague'], 'eve')
  pull.review('eve', 'approve')
  const own = await comment(world, pull, 'svc apply', 'eve')
  t.match(own.answers, [/`approval`: 0 of 1 .*not counted: eve pushed/s])
  t.match(own.answers, [/`four_eyes`: eve pushed \w+ and may not apply it alone/])
  const others = await comment(world, pull, 'svc apply', 'rob')
  t.match(others.answers, [/`approval`/])
  t.notMatch(others.answers, [/`four_eyes`/])
  pull.review('olga', 'approve')
  t.same((await comment(world, pull, 'svc apply', 'rob')).answers, [])
})

t.test('who pushed is not guessed: while the code host does not say, nothing is applied', async (t) => {
  await policy(world, { approvals: 1, last_push: true })
  const { pull } = await planned(world, ['pusher'])
  pull.review('olga', 'approve')
  const path = '/repos/{owner}/{repo}/activity'
  const gone = github.faults.add({
    kind: 'request',
    method: 'GET',
    path,
    effect: { status: 404, message: 'Not Found' },
  })
  const refused = await comment(world, pull, 'svc apply')
  t.match(refused.answers, [/`approval`: .*whether olga pushed the head could not be read/])
  gone.remove()
  t.same((await comment(world, pull, 'svc apply')).answers, [])
})

import t from 'tap'
import { startWorld } from '#test/helpers/world.ts'
import { report } from '#test/scenes/applying.ts'
import { answersTo, commandAudits, comment, planned, policy, reactionsTo, runsOf } from '#test/scenes/commenting.ts'
import { dependsOn, opened, planning, query, stack } from '#test/scenes/scene.ts'

const world = await startWorld(t, { files: { 'svc.yml': '{ version: 1, apply: { approvals: 0 } }\n' } })
const { github, repository } = world
for (const login of ['ada', 'rob']) repository.setPermission(login, 'write')
repository.setPermission('reader', 'read')

const appliesOf = async (number: number): Promise<string[]> =>
  (await query(world, `select id from runs where pr_number = ${number} and mode = 'apply' order by created_at`)).map(
    (row) => row.id,
  )

t.test('help shows the commands and the gate for the author', async (t) => {
  const { pull } = await planned(world, ['help'])
  const { reactions, answers } = await comment(world, pull, 'SVC Help', 'ada')
  t.same(reactions, ['eyes'])
  t.equal(answers.length, 1)
  t.match(answers[0], /`svc apply \[key…\]`/)
  t.match(answers[0], /The apply gate for \w{7} now: open/)
  t.match(answers[0], /ada may apply/)
  t.same(await commandAudits(world, pull), ['command ada help'])
})

t.test('code, quotes, edits and other words are no commands and get no answer', async (t) => {
  const { pull } = await planned(world, ['silent'])
  const texts = ['```\nsvc apply\n```', '> svc apply', 'svc destroy', 'please svc apply', '    svc apply']
  for (const text of texts) {
    const { reactions, answers } = await comment(world, pull, text)
    t.same([reactions, answers], [[], []], text)
  }
  const { id } = pull.comment('nothing yet', 'rob')
  pull.editComment(id, 'svc apply', 'rob')
  await world.settled()
  t.same(reactionsTo(pull, id), [], 'edited')
  t.same(await runsOf(world, pull, 'apply'), [])
  t.same(await commandAudits(world, pull), [])
})

t.test('the first line that is a command counts, and a quoted one does not', async (t) => {
  const { pull } = await planned(world, ['quoted'])
  const { answers } = await comment(world, pull, '> svc apply\n\nsvc help\nsvc apply')
  t.match(answers, [/### Commands/])
  t.same(await runsOf(world, pull, 'apply'), [])
})

t.test('a commenter without push permission is ignored, and audited', async (t) => {
  const { pull } = await planned(world, ['reader'])
  for (const login of ['reader', 'stranger']) {
    const { reactions, answers } = await comment(world, pull, 'svc apply', login)
    t.same([reactions, answers], [[], []], login)
  }
  t.same(await commandAudits(world, pull), ['command_ignored reader apply', 'command_ignored stranger apply'])
  t.same(await runsOf(world, pull, 'apply'), [])
})

t.test('a delivery that comes again, or whose handler died, does nothing twice', async (t) => {
  const { pull } = await planned(world, ['twice'])
  const { id, answers } = await comment(world, pull, 'svc apply')
  t.same(answers, [])
  const again = async () => {
    await query(
      world,
      `insert into jobs (queue, kind, payload) select 'events', kind, payload from jobs
       where kind = 'issue_comment' and payload->'comment'->>'id' = '${id}' limit 1`,
    )
    await world.settled()
  }
  const [runId] = await appliesOf(pull.number)
  await again()
  // all of it is done, except the record of it: the run that it began is in flight, so no other begins
  await query(world, `update comment_commands set outcome = null where comment_id = ${id}`)
  await again()
  t.same(await appliesOf(pull.number), [runId])
  t.match(answersTo(pull, `comment ${id}`), [/in_flight/])
  t.same(reactionsTo(pull, id), ['eyes', 'rocket'])
  t.same(await commandAudits(world, pull), ['command rob apply'], 'audited once')
  // the answer was posted and its job comes again, as after a restored backup
  await query(
    world,
    `insert into jobs (queue, kind, payload, created_at) select 'jobs', kind, payload, now() - interval '2 minutes' from jobs
     where kind = 'post_comment' and payload->>'name' = 'comment ${id}' limit 1`,
  )
  await world.settled()
  t.equal(answersTo(pull, `comment ${id}`).length, 1, 'found, not doubled')
})

t.test('the eleventh command of a minute is not carried out, and one answer says so', async (t) => {
  const { pull } = await planned(world, ['crowd'])
  for (let count = 0; count < 3; count += 1) pull.comment('svc help', 'stranger')
  const ids = Array.from({ length: 13 }, () => pull.comment('svc help', 'rob').id)
  await world.settled()
  const answers = ids.flatMap((id) => answersTo(pull, `comment ${id}`))
  t.equal(answers.filter((text) => text.startsWith('### Commands')).length, 10)
  t.equal(answers.filter((text) => /More than 10 commands .*Wait a minute/s.test(text)).length, 1)
  const audits = await commandAudits(world, pull)
  t.equal(audits.filter((text) => text === 'command_rate_limited rob help').length, 3)
  // a minute later
  await query(world, `update comment_commands set at = at - interval '1 minute' where pr_number = ${pull.number}`)
  const { answers: later } = await comment(world, pull, 'svc help')
  t.match(later, [/### Commands/])
})

t.test('options, and words that name no stack, are answered with what would be right', async (t) => {
  const { pull } = await planned(world, ['words/a', 'words/b'])
  const flag = await comment(world, pull, 'svc apply --force')
  t.match(flag.answers, [/`--force` is not an option.*svc apply \[key…\].*\*\*Next:\*\*/s])
  for (const verb of ['apply', 'plan']) {
    const { answers, reactions } = await comment(world, pull, `svc ${verb} words/a nowhere/**`)
    t.match(
      answers,
      [/`nowhere\/\*\*`: matches no stack.*The stacks:.*`words\/a`.*\*\*Next:\*\* nothing was done/s],
      verb,
    )
    t.same(reactions, ['eyes'])
  }
  t.same([...(await runsOf(world, pull, 'apply')), ...(await runsOf(world, pull, 'plan'))], [])
})

t.test('keys and globs apply some stacks, and a second apply takes the rest', async (t) => {
  const keys = ['some/net', 'some/db', 'some/app']
  const { pull } = await planned(world, keys, [dependsOn('some/app', 'some/db')])
  const left = await comment(world, pull, 'svc apply some/app')
  t.match(left.answers, [/leaves out what the named stacks depend on.*`some\/app` depends on `some\/db`.*Name it too/s])
  t.same(await runsOf(world, pull, 'apply'), [])

  const some = await comment(world, pull, 'svc apply some/n* `some/db`')
  t.same([some.reactions, some.answers], [['eyes', 'rocket'], []])
  t.same(await runsOf(world, pull, 'apply'), ['applying: some/db some/net'])
  const [first = ''] = await appliesOf(pull.number)
  await report(world, first, 'some/db')
  await report(world, first, 'some/net', 'failed')

  t.same((await comment(world, pull, 'svc apply some/app')).reactions, ['eyes', 'rocket'], 'its dependency is applied')
  const [, second = ''] = await appliesOf(pull.number)
  await report(world, second, 'some/app')
  await comment(world, pull, 'svc apply')
  const [, , third = ''] = await appliesOf(pull.number)
  await report(world, third, 'some/net')
  await world.settled()
  t.same(await runsOf(world, pull, 'apply'), ['failed: some/db some/net', 'applied: some/app', 'applied: some/net'])
  t.same(await commandAudits(world, pull), [
    'command rob apply some/app',
    'command rob apply some/n* some/db',
    'command rob apply some/app',
    'command rob apply',
  ])
  const done = await comment(world, pull, 'svc apply')
  t.match(done.answers, [/is already applied.*\*\*Next:\*\*/s])
})

t.test(
  'an apply runs under the environments of the default branch and on its runners, by the plan runs that planned its stacks',
  async (t) => {
    await policy(
      world,
      {},
      {
        stacks: [{ match: 'env/prod', environment: 'production', runs_on: ['vault', 'linux'] }],
        locks: { remind_after: '2h' },
      },
    )
    const { pull, id } = await planned(world, ['env/dev', 'env/prod'])
    await comment(world, pull, 'svc apply')
    const [runId] = await appliesOf(pull.number)
    t.match(
      await query(
        world,
        `select key, environment, runs_on, plan_run_id from run_stacks where run_id = '${runId}' order by key`,
      ),
      [
        { key: 'env/dev', environment: 'default', runs_on: null, plan_run_id: id },
        { key: 'env/prod', environment: 'production', runs_on: ['vault', 'linux'], plan_run_id: id },
      ],
    )
    t.match(await query(world, `select trigger, requested_by, sha from runs where id = '${runId}'`), [
      { trigger: 'comment', requested_by: 'rob', sha: pull.headSha() },
    ])
    t.match(
      await query(
        world,
        `select distinct snapshot->'context'->'remind_after' as remind_after from locks where run_id = '${runId}'`,
      ),
      [{ remind_after: 7200 }],
    )
  },
)

t.test('plan plans the named stacks again, in jobs that the service sends', async (t) => {
  const { pull, id, job } = await planning(world, ['again/a', 'again/b'])
  await world.settled()
  const early = await comment(world, pull, 'svc plan')
  t.match(early.answers, [/A plan of this commit is still under way.*re-run all jobs/s])
  await job.report(id, 'again/a')
  await job.report(id, 'again/b', { status: 'failure', exit_code: 1 })
  const { reactions, answers } = await comment(world, pull, 'svc plan again/b')
  t.same([reactions, answers], [['eyes', 'rocket'], []])
  t.same(await runsOf(world, pull, 'plan'), ['planning: again/b'])
  const refused = await comment(world, pull, 'svc apply')
  t.match(refused.answers, [/`plan`: The plan is not finished/], 'and until then nothing is applied')
})

t.test('plan says why it plans nothing', async (t) => {
  const unplanned = await github.openPullRequest({
    ...{ repo: 'acme/infra', branch: 'unplanned', title: 'A change', author: 'ada' },
    changes: { 'notes/unplanned.md': 'new\n' },
  })
  t.match((await comment(world, unplanned, 'svc plan')).answers, [/There is no plan of this pull request yet/])
  const fork = await github.openPullRequest({
    ...{ repo: 'acme/infra', branch: 'forked', title: 'A change', author: 'rob', fork: true },
    changes: { 'notes/forked.md': 'new\n' },
  })
  t.match((await comment(world, fork, 'svc plan')).answers, [/Its branch is in a fork/])
  t.match((await comment(world, fork, 'svc apply')).answers, [
    /`plan`: There is no plan of \w+: jobs of a fork get no token/,
  ])
  const { pull } = await planned(world, ['moved'])
  await comment(world, pull, 'svc apply')
  t.match((await comment(world, pull, 'svc plan')).answers, [/An apply of this pull request is in flight/])
  await pull.push({ 'notes/moved.md': 'moved\n' })
  await world.settled()
  t.match((await comment(world, pull, 'svc plan')).answers, [/The plan is of an older commit than the head/])
  await pull.close()
  await world.settled()
  t.match((await comment(world, pull, 'svc plan')).answers, [/The pull request is closed/])
  t.match((await comment(world, pull, 'svc apply')).answers, [/`mergeable`: The pull request is closed/])
})

t.test('commands are counted by verb and by whether they were carried out', async (t) => {
  const text = await (await fetch(`${world.service.url}/metrics`)).text()
  t.match(text, /svc_commands_total\{verb="apply",accepted="true"\} [1-9]/)
  t.match(text, /svc_commands_total\{verb="apply",accepted="false"\} [1-9]/)
  t.match(text, /svc_commands_total\{verb="help",accepted="true"\} [1-9]/)
})

t.test('tags name stacks, as the graph of the plan has them', async (t) => {
  const { pull, job, id } = await opened(world)
  const tagged = [stack('tag/a', { tags: ['web'] }), stack('tag/b', { tags: ['web', 'eu'] }), stack('tag/c')]
  await job.upload(id, { graph: { stacks: tagged }, stacks: tagged.map(({ key }) => key) })
  for (const { key } of tagged) await job.report(id, key)
  await world.settled()
  const none = await comment(world, pull, 'svc apply tag:nobody')
  t.match(none.answers, [/`tag:nobody`: is the tag of no stack/])
  await comment(world, pull, 'svc plan tag:eu')
  t.same(await runsOf(world, pull, 'plan'), ['planning: tag/b'])
  const [again = ''] = (
    await query(world, `select id from runs where pr_number = ${pull.number} and trigger = 'comment'`)
  ).map((row) => row.id)
  await report(world, again, 'tag/b')
  t.same((await comment(world, pull, 'svc apply tag:web')).answers, [])
  t.same(await runsOf(world, pull, 'apply'), ['applying: tag/a tag/b'])
  const [apply = ''] = await appliesOf(pull.number)
  for (const key of ['tag/a', 'tag/b']) await report(world, apply, key)
  await world.settled()
  t.match((await comment(world, pull, 'svc unlock tag:eu')).answers, [/Released one lock.*`tag\/b`/s])
})

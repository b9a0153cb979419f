import t from 'tap'
import { defaultConfig, parseRepoConfig } from '#domain/config/config-file.ts'
import { Problem } from '#errors.ts'
import { readEnvironment } from '#runner/environment.ts'
import { runIdOf, selectSome } from '#runner/job/selection.ts'
import { stackJob } from '#runner/job/stack-job.ts'
import { type GroupEntry, groupMatrix, type StackEntry } from '#runner/resolve/group-matrix.ts'

const sha = 'a'.repeat(40)

const entry = (key: string, more: Partial<StackEntry> = {}): StackEntry => ({
  stack: key.split(':')[0] ?? '',
  key,
  sha,
  wave: 0,
  environment: 'default',
  tool: 'terraform',
  plan_output: 'full',
  ...more,
})

const many = (count: number, more: (i: number) => Partial<StackEntry> = () => ({})) =>
  Array.from({ length: count }, (_, i) => entry(`stacks/${String(i).padStart(5, '0')}`, more(i)))

/** What a job reads from its entry of the matrix. */
const selected = (one: object) => selectSome({ matrix: JSON.stringify(one) }, readEnvironment({}))

const keysOf = (entries: readonly (StackEntry | GroupEntry)[]) =>
  entries.flatMap((one) => selected(one).map(({ key }) => key))

t.test('a matrix that fits has a job for each stack, as the service gave it', (t) => {
  const entries = many(256)
  t.same(groupMatrix(entries), entries)
  t.end()
})

t.test('more stacks than jobs are grouped, all of them and in order', (t) => {
  for (const count of [257, 300, 512, 513, 5000]) {
    const entries = many(count)
    const grouped = groupMatrix(entries)
    t.ok(grouped.length <= 256, `${count}: ${grouped.length} jobs`)
    t.same(
      keysOf(grouped),
      entries.map(({ key }) => key),
    )
  }
  const [first] = groupMatrix(many(600))
  t.same(first, {
    sha,
    wave: 0,
    environment: 'default',
    tool: 'terraform',
    plan_output: 'full',
    stack: 'stacks/00000 and 2 more',
    key: 'stacks/00000 and 2 more',
    stacks: ['stacks/00000', 'stacks/00001', 'stacks/00002'],
  })
  t.end()
})

t.test('stacks that need different set-ups are not in one job', (t) => {
  const entries = many(400, (i) => ({
    environment: i % 3 === 0 ? 'prod' : 'test',
    tool_version: i < 10 ? '1.9.0' : '1.11.4',
  }))
  const grouped = groupMatrix(entries)
  t.ok(grouped.length <= 256)
  t.same(
    keysOf(grouped).sort(),
    entries.map(({ key }) => key),
  )
  for (const one of grouped) t.ok(one.environment && one.tool_version, 'every group has one of each')
  t.end()
})

t.test('more set-ups than jobs share one, and each stack keeps its own', (t) => {
  const entries = many(600, (i) => ({ environment: `env-${i}`, wave: i % 2 }))
  const grouped = groupMatrix(entries)
  t.ok(grouped.length <= 256)
  t.same(
    grouped.flatMap((one) => selected(one)),
    entries.map(({ stack: _, ...rest }) => rest),
  )
  t.end()
})

t.test('fields that a group does not share stay with the stack, and a job reads back what was given', (t) => {
  const entries = many(300, (i) => ({
    ...(i % 2 === 0 ? { plan_output: 'summary', workspace: `w${i}`, instance: `w${i}` } : {}),
    ...(i === 5 ? { var_files: ['x.tfvars'] } : {}),
  }))
  const grouped = groupMatrix(entries)
  t.same(
    grouped.flatMap((one) => selected(one)).map(({ stack: _stack, instance: _instance, ...rest }) => rest),
    entries.map(({ stack: _stack, instance: _instance, ...rest }) => rest),
  )
  t.end()
})

t.test('six thousand stacks make a matrix that the outputs of a job may hold', (t) => {
  const entries = many(6000, (i) => ({ key: `infrastructure/live/eu-west-1/team-${i}/service`, wave: i % 9 }))
  t.ok(JSON.stringify(groupMatrix(entries)).length < 512 * 1024)
  t.end()
})

t.test('the stacks of a job are the ones in its entry, or the ones named', (t) => {
  const one = JSON.stringify(entry('app:blue', { instance: 'blue' }))
  const read = (values: object, env: Record<string, string> = {}) =>
    selectSome(values, readEnvironment(env)).map(({ key, stack }) => [key, stack])
  t.same(read({}, { SVC_MATRIX: one }), [['app:blue', 'app']])
  t.same(read({}, { SVC_MATRIX: one, SVC_STACK: 'other' }), [['app:blue', 'app']], "the entry is the job's own")
  t.same(read({}, { SVC_STACK: 'other' }), [['other', undefined]])
  t.same(read({ stack: ['a', 'b'] }), [
    ['a', undefined],
    ['b', undefined],
  ])
  t.same(read({ stack: ['app:blue'] }, { SVC_MATRIX: one }), [['app:blue', 'app']], 'with what the entry says of it')
  t.throws(() => read({}), /no stack is named: set SVC_MATRIX/)
  t.throws(() => read({ matrix: '{' }), /SVC_MATRIX: is not JSON/)
  t.throws(() => read({ matrix: '{"stack":"a"}' }), /SVC_MATRIX: key: .*expected an entry of the matrix/)
  t.throws(() => read({ matrix: '{"key":"a","tool":"pulumi"}' }), /SVC_MATRIX: tool: /)
  t.throws(() => runIdOf({}, readEnvironment({ SVC_RUN_ID: '12' })), /SVC_RUN_ID: '12' is not a run id/)
  t.equal(runIdOf({}, readEnvironment({ SVC_RUN_ID: ' ' })), undefined)
  t.end()
})

t.test('a stack is planned as svc.yml and the matrix say', (t) => {
  const root = t.testdir({ app: {}, 'odd:name': {} })
  const parsed = parseRepoConfig(`
version: 1
tool_version: 1.11.4
stacks:
  - match: app
    var_files: [all.tfvars]
    backend_config: [key=app]
    environment: prod
    instances:
      blue: { workspace: blue, var_files: [blue.tfvars] }
`)
  const config = parsed.ok ? parsed.config : defaultConfig
  const job = (one: object, program?: string) => stackJob({ key: '', ...one }, { root, config, program })
  t.match(job({ key: 'app:blue' }), {
    path: 'app',
    directory: `${root}/app`,
    instance: 'blue',
    workspace: 'blue',
    environment: 'prod',
    tool: 'terraform',
    program: 'terraform',
    toolVersion: '1.11.4',
    planOutput: 'full',
    varFiles: ['all.tfvars', 'blue.tfvars'],
    backendConfig: ['key=app'],
    isConfigured: true,
  })
  t.match(job({ key: 'odd:name' }), { path: 'odd:name', instance: undefined }, 'the directory that exists decides')
  t.match(job({ key: 'app:green' }), { path: 'app', instance: 'green', isConfigured: false })
  const hidden = job({ key: 'app:green', stack: 'app', workspace: 'green', var_files: ['green.tfvars'] })
  t.match(
    hidden,
    { workspace: 'green', varFiles: ['green.tfvars'], isConfigured: true },
    'what resolve found in the base',
  )
  t.match(job({ key: 'app:blue', plan_output: 'summary' }), { planOutput: 'summary' }, 'policy of the default branch')
  t.match(job({ key: 'app:blue', tool: 'tofu' }), { tool: 'tofu', program: 'tofu' })
  t.match(job({ key: 'app:blue' }, '/opt/tofu-1.9'), { tool: 'tofu', program: '/opt/tofu-1.9' })
  const generated = { key: 'live/.terragrunt-stack/vpc' }
  t.match(job(generated), { tool: 'terragrunt', program: 'terragrunt' })
  t.match(job({ ...generated, tool: 'terragrunt' }, '/opt/wrapped'), { tool: 'terragrunt', program: '/opt/wrapped' })
  for (const stack of ['../x', '/etc', '']) t.throws(() => job({ key: 'x', stack }), Problem, stack)
  t.end()
})

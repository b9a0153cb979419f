import t from 'tap'
import {
  type DispatchStack,
  dispatchEntry,
  dispatchInputs,
  dispatchParts,
  environmentOf,
} from '#domain/dispatch/dispatch-inputs.ts'
import { dispatchRefusal, dispatchUnanswered } from '#domain/dispatch/dispatch-refusal.ts'
import { limits } from '#domain/limits.ts'
import { readRunName, runName, waveLabel } from '#domain/run-name.ts'

const run = { id: '0b5f3c1e-8a44-4a37-9d5f-0f4d1c2b3a49', mode: 'apply' as const, sha: 'a'.repeat(40) }

const stack = (key: string, more: Partial<DispatchStack> = {}): DispatchStack => ({
  key,
  path: key,
  environment: 'prod',
  instance: null,
  workspace: null,
  runs_on: null,
  tool: 'tofu',
  tool_version: null,
  plan_output: 'full',
  artifact: null,
  artifact_run: null,
  planned_wave: 0,
  ...more,
})

const named = (count: number, name = (n: number) => `stacks/${n}`) =>
  Array.from({ length: count }, (_, n) => stack(name(n)))
const split = (stacks: DispatchStack[], wave = 0) =>
  dispatchParts(run, wave, stacks, (one) => dispatchEntry(run, wave, one))
const size = (stacks: DispatchStack[], wave: string) =>
  JSON.stringify(
    dispatchInputs(
      run,
      wave,
      stacks.map((one) => dispatchEntry(run, 0, one)),
    ),
  ).length

t.test('a matrix holds 256 jobs', async (t) => {
  const cases: [stacks: number, parts: number[]][] = [
    [0, []],
    [1, [1]],
    [256, [256]],
    [257, [256, 1]],
    [600, [256, 256, 88]],
  ]
  for (const [count, parts] of cases)
    t.same(
      split(named(count)).map(({ length }) => length),
      parts,
      `${count} stacks`,
    )
  t.same(split(named(600)).flat(), named(600), 'in order, none lost')
})

t.test('inputs hold 65,535 characters as compact JSON, quotes and backslashes escaped', async (t) => {
  const names: [what: string, name: (n: number) => string][] = [
    ['plain', (n) => `${'x'.repeat(400)}${n}`],
    ['with quotes', (n) => `${'"'.repeat(150)}${n}`],
    ['with characters of two code units', (n) => `${'🦉'.repeat(200)}${n}`],
    ['with line ends', (n) => `${'\n'.repeat(120)}${n}`],
  ]
  for (const [what, name] of names) {
    const parts = split(named(256, name))
    t.ok(parts.length > 1, what)
    for (const [at, part] of parts.entries()) {
      const next = parts[at + 1]?.[0]
      t.ok(size(part, waveLabel({ wave: 0, part: at + 1 }, parts.length)) <= limits.dispatchInputChars, `${what} fits`)
      // the label is assumed at its longest, hence the margin of a few characters
      if (next) t.ok(size([...part, next], '0.256') > limits.dispatchInputChars, `${what}: no room for one more`)
    }
  }
})

t.test('exactly at the limit there is one dispatch, with a character more there are two', async (t) => {
  const filled = (length: number) => [stack('a'), stack('b', { path: 'x'.repeat(length) })]
  const room = limits.dispatchInputChars - size(filled(0), '0.2')
  t.equal(size(filled(room), '0.2'), limits.dispatchInputChars)
  t.equal(split(filled(room)).length, 1)
  t.equal(split(filled(room + 1)).length, 2)
})

t.test('an entry that is too large by itself goes alone', async (t) => {
  const large = stack('b', { path: 'x'.repeat(70_000) })
  t.same(
    split([stack('a'), large, stack('c'), stack('d')]).map((part) => part.map(({ key }) => key)),
    [['a'], ['b'], ['c', 'd']],
  )
})

t.test('an entry of the matrix', async (t) => {
  t.same(dispatchEntry(run, 0, stack('a')), { stack: 'a', key: 'a', environment: 'prod', tool: 'tofu' })
  const full = stack('a:eu', {
    path: 'a',
    instance: 'eu',
    workspace: 'eu-1',
    tool: null,
    tool_version: '1.11.4',
    plan_output: 'summary',
    artifact: 'plan-a',
    artifact_run: 9001,
  })
  const entry = {
    stack: 'a',
    key: 'a:eu',
    environment: 'prod',
    instance: 'eu',
    workspace: 'eu-1',
    tool: 'terraform',
    tool_version: '1.11.4',
    plan_output: 'summary',
  }
  t.same(dispatchEntry(run, 0, full), { ...entry, artifact: 'plan-a', artifact_run: '9001' })
  t.same(dispatchEntry(run, 1, full), entry, 'the saved plans of later waves are out of date')
  t.same(dispatchEntry({ ...run, mode: 'plan' }, 0, full), { ...entry, environment: 'default' })
  t.notOk('artifact' in dispatchEntry(run, 0, { ...full, artifact_run: null }), 'the owner of the artifact is unknown')
  for (const planned_wave of [1, null]) {
    t.notOk(
      'artifact' in dispatchEntry(run, 0, { ...full, planned_wave }),
      'made before earlier waves of its plan were applied',
    )
  }
  t.same(
    [
      environmentOf('apply', null),
      environmentOf('apply', 'prod'),
      environmentOf('plan', 'prod'),
      environmentOf('drift', 'prod'),
    ],
    ['default', 'prod', 'default', 'default'],
  )
})

t.test('the name of a workflow run is written and read', async (t) => {
  const name = runName({ mode: 'apply', runId: run.id, wave: '2.3', sha: run.sha })
  t.equal(name, `svc apply ${run.id} wave 2.3 ${run.sha}`)
  t.same(readRunName(name), { mode: 'apply', runId: run.id, wave: 2, part: 3, sha: run.sha })
  t.match(readRunName(runName({ mode: 'plan', runId: run.id, wave: '0', sha: 'abc' })), { wave: 0, part: 1 })
  t.same([waveLabel({ wave: 2, part: 1 }, 1), waveLabel({ wave: 2, part: 1 }, 2)], ['2', '2.1'])
  for (const title of [
    'Fix it',
    `svc apply ${run.id} wave x ${run.sha}`,
    `${name} `.repeat(2),
    `x ${name}`,
    'svc apply 1 wave 0 a',
  ]) {
    t.equal(readRunName(title), undefined, title)
  }
})

t.test('a refusal says what to do', async (t) => {
  const of = (status: number, said: string) => dispatchRefusal({ status, said, repo: 'acme/infra', branch: 'main' })
  const cases: [status: number, said: string, todo: RegExp][] = [
    [404, 'Not Found', /commit .github\/workflows\/svc-run.yml to main/],
    [403, 'Resource not accessible by integration', /'Actions: read and write'/],
    [422, 'Unexpected inputs provided: ["stacks"]', /declare the inputs run_id, mode, wave, sha and stacks/],
    [422, "Workflow does not have 'workflow_dispatch' trigger", /trigger workflow_dispatch/],
    [422, "Cannot trigger a 'workflow_dispatch' on a disabled workflow", /enable svc-run.yml/],
    [422, 'inputs are too large.', /needs more room/],
    [422, 'No ref found for: main', /has no branch main/],
    [409, 'something new', /run by hand/],
  ]
  for (const [status, said, todo] of cases) {
    t.match(of(status, said), todo)
    t.ok(of(status, said).includes(`${status}: ${said}`), 'with the words of the code host')
  }
  t.match(dispatchUnanswered('a timeout'), /a timeout.*Before it is sent again, .* checks whether it started/)
})

import t from 'tap'
import { compile, type Failure } from '#test/helpers/compile.ts'

/*
 * What the types of messages and actions must refuse. Each line of a snippet that must not compile says so at its end, and all
 * other lines must compile. A correct twin is beside each wrong line, so none fails for another reason than the intended one.
 */

const messages = `
import { begin, transit } from '#machines/index.ts'
import type { Tx } from '#db/sql.ts'
import type { Message } from '#runtime/message.ts'
import type { Runtime } from '#runtime/runtime.ts'

export const misspelt = async (runtime: Runtime, tx: Tx, who: { actor: string }) => {
  const to = { kind: 'run', id: 'run-1' } as const
  await runtime.send({ to, event: { type: 'head.replaced', sha: 'c0ffee' }, ...who })
  await runtime.send({ to, event: { type: 'head.replacd', sha: 'c0ffee' }, ...who }) // fails
  await runtime.send({ to, event: { type: 'head.replaced', hash: 'c0ffee' }, ...who }) // fails
  await runtime.sendAll(tx, ['a', 'b'].map((id) => ({ to: { kind: 'lock', stackId: id }, event: { type: 'reminder.due' }, ...who })))
  await runtime.sendAll(tx, ['a', 'b'].map((id) => ({ to: { kind: 'lock', stackId: id }, event: { type: 'remindr.due' }, ...who }))) // fails
}

export const ofAnotherKind = (who: { actor: string }): Message[] => [
  { to: { kind: 'lock', stackId: 'stack-1' }, event: { type: 'reminder.due' }, ...who },
  { to: { kind: 'run', id: 'run-1' }, event: { type: 'reminder.due' }, ...who }, // fails
  { to: { kind: 'stack', runId: 'run-1', key: 'network' }, event: { type: 'runner.lost', reason: 'not_picked_up' }, ...who },
  { to: { kind: 'stack', runId: 'run-1', key: 'network' }, event: { type: 'runner.lost' }, ...who }, // fails
  { to: { kind: 'dispatch', id: 'dispatch-1', runId: 'run-1' }, event: { type: 'runner.lost' }, ...who },
]

export const machine = begin('dispatch', { wave: 0, part: 1 })
export const mode = begin('dispatch', { wave: 0, part: 1, mode: 'plan' }) // fails
export const sent = transit('dispatch', machine, { type: 'dispatch.sent' })
export const settled = transit('dispatch', machine, { type: 'stack.settled', wave: 0, outcome: 'failed' }) // fails
`

const before = (line: string, added: string) => (text: string) => text.replace(line, `${added}\n${line}`)

/** Actions that a machine might name: one that is carried out, and three unknown ones. */
const planted = [
  `  announceRun: job(nothing),`,
  `  forgottenTell: tell(nothing),`,
  `  forgottenNotice: notice(nothing),`,
  `  forgottenSort: sorted('pigeon')(nothing),`,
].join('\n')

// some seconds of work for the compiler, on a busy machine
t.setTimeout(120_000)

let failures: Failure[]
t.before(async () => {
  failures = await compile(
    {
      'src/snippets/messages.ts': messages,
      'machines/actions.ts': before('  publishRun: job(nothing),', planted),
      'src/runtime/consequences/run-jobs.ts': before(`    case 'publishRun':`, `    case 'announceRun':`),
    },
    ['src/runtime/perform.ts'],
  )
})

const failing = (path: string): string[] => failures.filter(({ file }) => file === path).map(({ source }) => source)

t.test('a misspelt event, or an event of another kind of machine, does not compile', async (t) => {
  const marked = messages.split('\n').filter((line) => line.endsWith('// fails'))
  t.equal(marked.length, 7)
  t.same(
    [...new Set(failing('src/snippets/messages.ts'))],
    marked.map((line) => line.trim()),
  )
})

t.test('an action of the table without an implementation does not compile', async (t) => {
  const files = new Set(failures.map(({ file }) => file))
  files.delete('src/snippets/messages.ts')
  t.same([...files].sort(), [
    'src/runtime/consequences/lock-notices.ts',
    'src/runtime/perform.ts',
    'src/runtime/tells.ts',
  ])
  t.same(failing('src/runtime/perform.ts'), ['} else action satisfies never'], 'nor does an unknown sort')
  t.same(failing('src/runtime/consequences/run-jobs.ts'), [], 'an implemented one compiles')
})

import t from 'tap'
import type { Deliver } from '#runtime/mail.ts'
import { createMailbox, type MailboxLimits } from '#runtime/mailbox.ts'
import type { Answer, Message } from '#runtime/message.ts'
import { until } from '#test/helpers/until.ts'

const message = (run: string, name: string): Message => ({
  to: { kind: 'run', id: run },
  event: { type: 'head.replaced', sha: name },
  actor: 'test',
})

const named = (messages: readonly Message[]): string[] =>
  messages.map(({ to, event }) => `${'id' in to ? to.id : ''}${'sha' in event ? event.sha : ''}`)

class HeldError extends Error {}

type Transaction = {
  messages: string[]
  brief: boolean
  /** Takes what came for its runs, once they are locked. */
  join(): void
  end(): void
  fail(): void
  held(): void
}

/** A mailbox over transactions that end when the test says so. */
const held = (limits?: MailboxLimits) => {
  const open: Transaction[] = []
  const begun: string[][] = []
  const deliver: Deliver = (messages, _, { brief, joining }) => {
    const { promise, resolve, reject } = Promise.withResolvers<Answer[]>()
    const names = named(messages)
    begun.push(names)
    const close = (how: () => void) => () => {
      open.splice(open.indexOf(transaction), 1)
      how()
    }
    const transaction = {
      messages: names,
      brief,
      join: () => {
        names.splice(messages.length, names.length, ...named(joining()))
      },
      end: close(() => resolve(names.map((status) => ({ outcome: 'moved', status })))),
      fail: close(() => reject(new Error(`no ${names.join(' ')}`))),
      held: close(() => reject(new HeldError(`held ${names.join(' ')}`))),
    }
    open.push(transaction)
    return promise
  }
  const isHeld = (error: unknown): boolean => error instanceof HeldError
  const mailbox = createMailbox({ deliver, isHeld, ...(limits ? { limits } : {}) })
  /** Sends run and name in one letter each: `a1`. The results are kept by name. */
  const send = (name: string) =>
    mailbox.send(message(name[0] ?? '', name.slice(1)), 1).then(
      (answer) => answer.status,
      (error: Error) => error.message,
    )
  return { mailbox, send, open, begun }
}

/** Long enough for everything that does not wait for a transaction. */
const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
}

t.test('messages sent in one turn of the event loop share a transaction, over several runs', async (t) => {
  const { send, open, begun } = held()
  const answers = ['a1', 'b1', 'a2'].map(send)
  t.same(begun, [], 'nothing before the turn ends')
  await turns()
  t.same(begun, [['a1', 'b1', 'a2']])
  open[0]?.end()
  t.same(await Promise.all(answers), ['a1', 'b1', 'a2'], 'each caller gets its own answer')
})

t.test('messages of a run wait for its transaction, and then go together in the order they came', async (t) => {
  const { send, open, begun } = held()
  const first = send('a1')
  await turns()
  const rest = ['a2', 'a3', 'a4'].map(send)
  await turns()
  t.same(begun, [['a1']], 'never two transactions of one run')
  open[0]?.end()
  t.equal(await first, 'a1')
  await turns()
  t.same(begun, [['a1'], ['a2', 'a3', 'a4']])
  open[0]?.end()
  t.same(await Promise.all(rest), ['a2', 'a3', 'a4'])
})

t.test('what comes for a run while its transaction waits for the lock joins it, behind what was there', async (t) => {
  const { send, open, begun } = held({ group: 4, transactions: 1, aside: 0 })
  const answers = ['a1', 'a2'].map(send)
  await turns()
  answers.push(...['b1', 'a3', 'a4', 'a5'].map(send))
  open[0]?.join()
  t.same(begun, [['a1', 'a2', 'a3', 'a4']], 'as many as fit, of this run alone')
  open[0]?.end()
  await turns()
  t.same(begun.slice(1), [['b1', 'a5']])
  open[0]?.end()
  t.same(await Promise.all(answers), ['a1', 'a2', 'b1', 'a3', 'a4', 'a5'])
})

t.test('a transaction that fails with others that joined it is split with them', async (t) => {
  const { send, open, begun } = held()
  const answers = [send('a1')]
  await turns()
  answers.push(send('a2'))
  open[0]?.join()
  open[0]?.fail()
  await turns()
  t.same(begun.slice(1), [['a1']], 'each by itself')
  open[0]?.join()
  t.same(begun.slice(1), [['a1']], 'takes no other along')
  open[0]?.fail()
  await turns()
  open[0]?.end()
  t.same(await Promise.all(answers), ['no a1', 'a2'])
})

t.test('what joined a transaction whose row stays held goes on waiting, behind a row that is held now', async (t) => {
  const { send, open, begun } = held()
  const first = send('a1')
  await turns()
  const second = send('a2')
  open[0]?.join()
  open[0]?.held()
  t.equal(await first, 'held a1 a2')
  await turns()
  t.same(begun.slice(1), [['a2']], 'tried again')
  open[0]?.end()
  t.equal(await second, 'a2')
})

t.test('a transaction that was given up takes nothing more', async (t) => {
  const { send, open, begun } = held()
  const first = send('a1')
  await turns()
  const lost = open[0]
  lost?.fail()
  t.equal(await first, 'no a1')
  const second = send('a2')
  lost?.join()
  await turns()
  t.same(begun.slice(1), [['a2']])
  open[0]?.end()
  t.equal(await second, 'a2')
})

t.test('a waiting run does not hold up another', async (t) => {
  const { send, open, begun } = held()
  const slow = [send('a1')]
  await turns()
  slow.push(send('a2'))
  await turns()
  const other = send('b1')
  await turns()
  t.same(begun, [['a1'], ['b1']], 'while a message waits for the first')
  open[1]?.end()
  t.equal(await other, 'b1')
  open[0]?.end()
  await turns()
  open[0]?.end()
  t.same(await Promise.all(slow), ['a1', 'a2'])
})

t.test('the size of a group is bounded, and so is the number of simultaneous transactions', async (t) => {
  const { send, open, begun } = held({ group: 2, transactions: 2, aside: 0 })
  const answers = ['a1', 'a2', 'a3', 'b1', 'c1', 'd1', 'e1'].map(send)
  await turns()
  t.same(begun, [
    ['a1', 'a2'],
    ['b1', 'c1'],
  ])
  open[1]?.end()
  await turns()
  t.same(begun[2], ['d1', 'e1'], "the rest of a's messages wait for a's transaction")
  open[0]?.end()
  await turns()
  t.same(begun[3], ['a3'])
  while (open.length > 0) open[0]?.end()
  t.same(await Promise.all(answers), ['a1', 'a2', 'a3', 'b1', 'c1', 'd1', 'e1'])
})

t.test('a group that fails is split: by run, then by message, in order, and one fails alone', async (t) => {
  const { send, open, begun } = held()
  const answers = ['a1', 'b1', 'a2'].map(send)
  await turns()
  open[0]?.fail()
  await turns()
  t.same(begun.slice(1), [['a1', 'a2']], 'the runs one after another')
  open[0]?.fail()
  await turns()
  t.same(begun.slice(2), [['a1']])
  open[0]?.fail()
  await turns()
  const late = send('a3')
  await turns()
  t.same(begun.slice(3), [['a2']], 'the run is busy until its parts are done')
  open[0]?.end()
  await turns()
  t.same(begun.slice(4), [['b1']])
  open[0]?.end()
  t.same(await Promise.all(answers), ['no a1', 'b1', 'a2'])
  await turns()
  open[0]?.end()
  t.equal(await late, 'a3')
})

t.test('idle waits for work in progress, for waiting messages, and for those sent in this turn', async (t) => {
  const { mailbox, send, open } = held()
  await mailbox.idle()
  let idle = false
  const answers = [send('a1')]
  const waited = mailbox.idle().then(() => {
    idle = true
  })
  await turns()
  answers.push(send('a2'))
  open[0]?.end()
  await turns()
  t.notOk(idle, 'a second transaction is under way')
  open[0]?.end()
  await waited
  t.same(await Promise.all(answers), ['a1', 'a2'])
})

t.test('a message without an answer is an error, not an endless wait', async (t) => {
  const mailbox = createMailbox({ deliver: async () => [], isHeld: () => false })
  await t.rejects(mailbox.send(message('a', '1'), 1), { message: 'a message was not answered' })
})

t.test('a run whose row is held by a stranger waits aside, and no other waits for it', async (t) => {
  const { send, open, begun } = held({ group: 256, transactions: 1, aside: 1 })
  const answers = ['a1', 'b1', 'a2', 'c1'].map(send)
  await turns()
  t.ok(open[0]?.brief, 'a group waits only a moment')
  open[0]?.held()
  await turns()
  open[0]?.held()
  await turns()
  t.same(begun.slice(1), [['a1', 'a2'], ['b1']])
  const late = send('d1')
  open[0]?.end()
  await turns()
  open[0]?.end()
  await turns()
  t.same(begun.slice(3), [['c1'], ['d1'], ['a1', 'a2']], 'then it waits alone, beside the others')
  t.same(
    open.map(({ messages, brief }) => [messages, brief]),
    [
      [['d1'], false],
      [['a1', 'a2'], false],
    ],
  )
  open[0]?.end()
  const after = send('a3')
  open[0]?.held()
  t.same(await Promise.all([...answers, late]), ['held a1 a2', 'b1', 'held a1 a2', 'c1', 'd1'])
  await turns()
  const other = send('e1')
  await turns()
  t.same(begun.slice(6), [['a3'], ['e1']], 'it is tried again aside')
  while (open.length > 0) open[0]?.end()
  t.same(await Promise.all([after, other]), ['a3', 'e1'])
  const again = [send('a4'), send('b2')]
  await turns()
  t.same(begun.slice(8), [['a4', 'b2']], 'and goes with the others when its row is free again')
  open[0]?.end()
  await Promise.all(again)
})

t.test('a transaction that takes long makes room for another', async (t) => {
  const { send, open, begun } = held({ group: 256, transactions: 1, aside: 1 })
  const slow = send('a1')
  await turns()
  const other = send('b1')
  await until(() => begun.length === 2)
  t.same(begun, [['a1'], ['b1']])
  while (open.length > 0) open[0]?.end()
  t.same(await Promise.all([slow, other]), ['a1', 'b1'])
})

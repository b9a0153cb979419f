import t from 'tap'
import { createRowTurns, type RowTurnsLimits } from '#runtime/row-turns.ts'
import { until } from '#test/helpers/until.ts'

class HeldError extends Error {}

/** Turns over transactions that end when the test says so: `a1` is of the owner a and the row a1. */
const turnsOf = (limits: RowTurnsLimits) => {
  const turns = createRowTurns({ isHeld: (error) => error instanceof HeldError, limits })
  const open = new Map<string, PromiseWithResolvers<string>>()
  const begun: string[] = []
  const ask = (row: string, name = row, patienceMs = 60_000) =>
    turns
      .turn({ owner: row[0] ?? '', row, patienceMs }, () => {
        begun.push(name)
        const transaction = Promise.withResolvers<string>()
        open.set(name, transaction)
        return transaction.promise
      })
      .catch((error: Error) => error.message)
  const settle = async (how: () => void): Promise<void> => {
    how()
    await new Promise(setImmediate)
  }
  return {
    ask,
    begun,
    end: (name: string) => settle(() => open.get(name)?.resolve(name)),
    held: (name: string) => settle(() => open.get(name)?.reject(new HeldError(`${name} is held`))),
    fail: (name: string) => settle(() => open.get(name)?.reject(new Error(`no ${name}`))),
  }
}

t.test('one of each row at a time, in the order in which they came', async (t) => {
  const { ask, begun, end, fail } = turnsOf({ transactions: 4, ofOwner: 4, stuck: 1 })
  const answers = [ask('a1', 'first'), ask('a1', 'second'), ask('a2')]
  t.same(begun, ['first', 'a2'])
  await fail('first')
  t.same(begun, ['first', 'a2', 'second'])
  await end('second')
  await end('a2')
  t.same(await Promise.all(answers), ['no first', 'second', 'a2'], 'each gets its own answer')
})

t.test('owners take turns, and none has them all', async (t) => {
  const { ask, begun, end } = turnsOf({ transactions: 3, ofOwner: 2, stuck: 1 })
  const answers = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2'].map((row) => ask(row))
  t.same(begun, ['a1', 'a2', 'b1'])
  await end('a1')
  t.same(begun.slice(3), ['a3'], 'a had its last turn before b')
  await end('a2')
  t.same(begun.slice(4), ['b2'], 'and now b had')
  for (const name of ['a3', 'b1', 'b2', 'a4']) await end(name)
  t.same(await Promise.all(answers), ['a1', 'a2', 'a3', 'a4', 'b1', 'b2'])
})

t.test('held rows share one attempt at a time, and are tried in turn', async (t) => {
  const { ask, begun, end, held } = turnsOf({ transactions: 4, ofOwner: 4, stuck: 1 })
  const answers = [ask('a1', 'first'), ask('a1', 'second'), ask('a2')]
  await held('first')
  await held('a2')
  t.same(begun, ['first', 'a2', 'first'], 'a2 waits for the attempt at the other')
  answers.push(ask('a3'))
  t.same(begun.slice(3), ['a3'], 'a row that is free waits for neither')
  await held('first')
  t.same(begun.slice(4), ['a2'])
  await end('a2')
  t.same(begun.slice(5), ['first'])
  await end('first')
  t.same(begun.slice(6), ['second'], 'then what waits for its row goes on')
  for (const name of ['a3', 'second']) await end(name)
  t.same(await Promise.all(answers), ['first', 'second', 'a2', 'a3'])
})

t.test('what has waited too long for a held row is refused, with those behind it', async (t) => {
  const { ask, begun, held, end } = turnsOf({ transactions: 4, ofOwner: 4, stuck: 1 })
  const answers = [ask('a1', 'first', 20), ask('a1', 'second', 20), ask('a1', 'patient')]
  const late = performance.now() + 20
  await until(() => performance.now() > late)
  await held('first')
  t.same(await Promise.all(answers.slice(0, 2)), ['first is held', 'first is held'])
  t.same(begun, ['first', 'patient'])
  await end('patient')
  t.equal(await answers[2], 'patient')
})

import t from 'tap'
import { Gate } from '#api/runs/gate.ts'
import { heldStates } from '#domain/lock-state.ts'
import { runStatuses, stackStatuses as statusesOfDomain } from '#domain/run-status.ts'
import { dispatchMachine } from '#machines/dispatch.ts'
import { looks, runLook, stackStatuses } from '../../../ui/status/table.ts'

const { drifted: _, checked, ...tables } = looks

t.test('everything that has a status has its look', async (t) => {
  t.same(Object.keys(tables.stack).sort(), [...statusesOfDomain].sort())
  t.same(stackStatuses, Object.keys(tables.stack))
  t.same(Object.keys(tables.lock).sort(), [...heldStates].sort())
  const verdicts = Gate.shape.facts.element.shape.verdict.options
  t.same(Object.keys(tables.verdict).sort(), [...verdicts].sort())
  t.same(Object.keys(tables.dispatch).sort(), Object.keys(dispatchMachine.states).sort())
  for (const status of runStatuses) t.equal(runLook(status), tables.stack[status])
  t.equal(runLook('planned', 'drift'), checked, 'no plan, which somebody might apply')
  t.equal(runLook('failed', 'drift'), tables.stack.failed)
})

t.test('none is told from another by its colour alone', async (t) => {
  for (const [name, table] of Object.entries(tables)) {
    const words = Object.values(table).map(({ word }) => word)
    t.equal(new Set(words).size, words.length, `${name}: a word each`)
  }
  const ended = Object.entries(tables.stack).filter(([status]) => status !== 'planning')
  t.equal(new Set(ended.map(([, { icon }]) => icon)).size, ended.length, 'an icon each, but for the two that run')
  t.same(
    Object.entries(tables.stack)
      .filter(([, { pattern }]) => pattern)
      .map(([status]) => status),
    ['unknown', 'blocked'],
    'and a pattern for the two that are easily missed',
  )
})

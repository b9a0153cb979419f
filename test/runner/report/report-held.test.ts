import t from 'tap'
import { limits } from '#domain/limits.ts'
import { fitResult } from '#runner/report/report-held.ts'

t.test('a result that is too large is cut to fit, and its counts stay', (t) => {
  const lists = { added: Array.from({ length: 500 }, (_, i) => `${'x'.repeat(1000)}[${i}]`) }
  const summary = { adds: 500, changes: 0, destroys: 0, replaces: 0, ...lists, destroyed: lists.added }
  const base = { mode: 'plan', status: 'success', exit_code: 2, has_changes: true, summary, error_text: 'why' } as const
  const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value))
  const fitted = fitResult({ ...base, plan_text: 'line\n'.repeat(50_000) })
  t.ok(bytes(fitted) < limits.bodyBytes)
  t.match(fitted.summary, { adds: 500 })
  t.equal(fitted.summary?.added?.length, 50)
  t.equal(fitted.plan_text?.length, 250_000)
  const quotes = fitResult({ ...base, plan_text: '"'.repeat(limits.planTextBytes * 4) })
  t.ok(bytes(quotes) < limits.bodyBytes && quotes.truncated === true)
  const small = { ...base, summary: { adds: 1, changes: 0, destroys: 0, replaces: 0 } }
  t.equal(fitResult(small), small)
  t.end()
})

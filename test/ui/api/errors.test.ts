import t from 'tap'
import { ErrorBody } from '#api/error-body.ts'
import { asProblem, isPassing, isUncertain, problemOf, unreachable } from '../../../ui/api/errors.ts'

t.test('every code of the API is known as itself', async (t) => {
  for (const code of ErrorBody.shape.code.options) {
    const problem = problemOf(409, { code, message: 'so it is', details: { field: 'x' } }, 'id-1')
    t.match(problem, { code, status: 409, message: 'so it is', requestId: 'id-1', details: { field: 'x' } }, code)
  }
})

t.test('what stands in between is told by its status', async (t) => {
  for (const [status, code] of [
    [401, 'unauthorized'],
    [403, 'forbidden'],
    [404, 'not_found'],
    [429, 'invalid'],
    [502, 'unavailable'],
  ] as const) {
    for (const body of [undefined, 'Bad gateway', { code: 'made_up', message: 'x' }, { code }]) {
      t.match(problemOf(status, body, undefined), { code, status, message: /between.*status/ })
    }
  }
})

t.test('asking again is offered where it may help', async (t) => {
  t.ok(isPassing(unreachable()))
  t.ok(isPassing(problemOf(503, undefined, undefined)))
  t.notOk(isPassing(problemOf(404, undefined, undefined)))
  t.match(asProblem(new TypeError('of this page')), { code: 'internal', status: 0, message: 'of this page' })
})

t.test('what the service refused was not done; of an answer that is lost or no refusal it is not known', async (t) => {
  for (const code of ['forbidden', 'conflict', 'not_found', 'invalid'] as const)
    t.notOk(isUncertain(problemOf(409, { code, message: 'no' }, 'id-1')), code)
  t.notOk(isUncertain(problemOf(413, undefined, undefined)), 'what stands in between did not pass it on')
  t.ok(isUncertain(unreachable()))
  t.ok(isUncertain(problemOf(504, 'Gateway timeout', undefined)))
  t.ok(isUncertain(problemOf(500, { code: 'internal', message: 'unexpected' }, 'id-1')))
  t.ok(isUncertain(asProblem(new TypeError('of this page'))))
})

import t from 'tap'
import { idsOfMonth, monthAfter, monthAt, monthOfRun } from '#domain/month.ts'
import { newId } from '#ids.ts'

t.test('the month of a run is the one in which its id was made, in UTC', async (t) => {
  t.equal(monthOfRun('019f7a2c-0000-7abc-8000-000000000001'), monthAt(new Date(0x019f7a2c0000)))
  t.equal(monthOfRun('019b76da-a7ff-7abc-8000-000000000001'), '2025-12', 'its last millisecond')
  t.equal(monthOfRun('3b241101-e2bb-4255-8caf-4136c566a962'), undefined, 'an id at random has none')
})

t.test('the ids of a month begin where those of the month before end', async (t) => {
  t.same(
    [monthAfter('2026-12'), monthAfter('2026-01', 14), monthAfter('2026-03', -3)],
    ['2027-01', '2027-03', '2025-12'],
  )
  t.equal(idsOfMonth('2026-01').to, idsOfMonth('2026-02').from)
  const id = newId()
  const { from, to } = idsOfMonth(monthOfRun(id) as string)
  t.ok(from <= id && id < to)
  const [last] = idsOfMonth('2026-01').from.split('-0000-')
  t.equal(parseInt((last as string).replace('-', ''), 16), Date.UTC(2026, 0, 1))
})

import t from 'tap'
import { distanceWords, durationWords, exactWords, momentWords } from '../../../ui/parts/time-words.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

t.test('durations have two units, and no more', async (t) => {
  const cases = [
    [-5, '0 s'],
    [999, '0 s'],
    [38 * second, '38 s'],
    [minute, '1 min'],
    [4 * minute + 12 * second, '4 min 12 s'],
    [hour - 1, '59 min 59 s'],
    [2 * hour + 5 * minute + 9 * second, '2 h 5 min'],
    [3 * day, '3 d'],
    [3 * day + 2 * hour + minute, '3 d 2 h'],
  ] as const
  for (const [ms, words] of cases) t.equal(durationWords(ms), words)
})

t.test('a distance says which way', async (t) => {
  const now = Date.UTC(2026, 0, 31, 12)
  for (const [ago, words] of [
    [0, 'now'],
    [2 * second, '2 s ago'],
    [4 * minute + 59 * second, '4 min ago'],
    [26 * hour, '1 d ago'],
    [-3 * hour, 'in 3 h'],
  ] as const) {
    t.equal(distanceWords(now - ago, now), words)
  }
})

t.test('a moment has its date unless it is of today', async (t) => {
  // of the machine's own time zone, as in a browser
  const now = new Date(2026, 0, 31, 12, 44, 2).getTime()
  t.equal(momentWords(now, now), '12:44:02')
  t.equal(momentWords(new Date(2026, 0, 30, 17, 31).getTime(), now), 'yesterday 17:31')
  t.equal(momentWords(new Date(2026, 0, 12, 9, 10).getTime(), now), '12 Jan 09:10')
  t.equal(momentWords(new Date(2024, 5, 3).getTime(), now), '3 Jun 2024')
  t.match(exactWords(now), /^31 Jan 2026, 12:44:02 \(UTC/)
})

import t from 'tap'
import { parseDuration } from '#domain/duration.ts'

t.test('a duration is numbers with their units', async (t) => {
  const durations = {
    '24h': 86_400_000,
    '1h30m': 5_400_000,
    '90s': 90_000,
    '500ms': 500,
    '7d': 604_800_000,
    '': undefined,
    '5': undefined,
    '0h': undefined,
    '1w': undefined,
    '-1h': undefined,
  }
  const parsed = Object.keys(durations).map((text) => [text, parseDuration(text)])
  t.same(Object.fromEntries(parsed), durations)
})

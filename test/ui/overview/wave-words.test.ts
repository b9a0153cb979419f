import t from 'tap'
import { type Wave, wavesOf, waveWords } from '../../../ui/overview/wave-words.ts'

type Standing = Parameters<typeof wavesOf>[0]

/** As the API answers it: the counts are those of all waves. */
const apply = (current_wave: number, by_wave: Wave[], more: Partial<Standing> = {}): Standing => {
  const counts: Wave['counts'] = {}
  for (const wave of by_wave)
    for (const [status, count] of Object.entries(wave.counts) as [keyof Wave['counts'], number][])
      counts[status] = (counts[status] ?? 0) + count
  return { ...{ mode: 'apply', status: 'applying', current_wave, counts, by_wave }, ...more }
}

const wave = (index: number, counts: Wave['counts']): Wave => ({ wave: index, counts })

const said = (run: Standing): string[] => wavesOf(run).map((one) => waveWords(run, one))

const cases: [what: string, run: Standing, words: string[]][] = [
  [
    'waves take turns',
    apply(1, [wave(0, { applied: 2 }), wave(1, { applying: 1 }), wave(2, { pending: 3 })]),
    ['wave 1 done', 'wave 2 of 3, now', 'wave 3'],
  ],
  [
    'after a failure no wave starts',
    apply(0, [wave(0, { failed: 1, applying: 1 }), wave(1, { blocked: 1, pending: 1 })]),
    ['wave 1 of 2, now', 'wave 2 does not start'],
  ],
  [
    'nor for a newer commit',
    apply(0, [wave(0, { applying: 1 }), wave(1, { pending: 1 })], { superseded_by: { sha: 'b' } }),
    ['wave 1 of 2, now', 'wave 2 does not start'],
  ],
  ['an apply that has not begun', apply(0, [wave(0, { pending: 1 })], { status: 'pending' }), ['wave 1']],
  [
    'plans run side by side, whatever their wave will be',
    apply(0, [wave(0, { planned: 1, planning: 2 }), wave(1, { planning: 1 })], { mode: 'plan', status: 'planning' }),
    ['4 stacks, all at once'],
  ],
  ['no stacks yet', apply(0, [], { mode: 'plan', status: 'pending' }), []],
]

for (const [what, run, words] of cases) t.test(what, async (t) => t.same(said(run), words))

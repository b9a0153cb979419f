import t from 'tap'
import { limits } from '#domain/limits.ts'
import { boundVerdict, verdictOf } from '#runner/check/verdict.ts'
import { createMasks } from '#runner/mask/masks.ts'
import type { Output } from '#runner/output/output.ts'

const quietOutput = () => {
  const said: string[] = []
  return { said, output: { warn: (message: string) => said.push(message) } as unknown as Output }
}

t.test('a verdict stays within what a client may send, and says what was cut', (t) => {
  const { said, output } = quietOutput()
  const small = { status: 'pass', summary: 'a\n  b', details: 'd', details_url: 'https://x.example' } as const
  t.same(boundVerdict(small, output), { ...small, summary: 'a b' })
  t.same(said, [])
  const large = boundVerdict(
    { status: 'fail', summary: 'ü'.repeat(5000), details: 'line of text\n'.repeat(10_000) },
    output,
  )
  t.ok(Buffer.byteLength(large.summary!) <= limits.checkSummaryBytes && /cut at 4 KB\)$/.test(large.summary!))
  t.ok(Buffer.byteLength(large.details!) <= limits.checkDetailsBytes && /\n\nCut at 64 KB\.\n$/.test(large.details!))
  t.same(said, ['the summary is cut: it may have 4 KB', 'the details are cut: they may have 64 KB'])
  t.same(boundVerdict({ status: 'warn', summary: ' ', details: '' }, output), { status: 'warn' }, 'empty says nothing')
  t.end()
})

t.test("a program's end is a verdict", (t) => {
  const masks = createMasks()
  masks.add(['hunter22'])
  const ended = (code: number | null, stdout = '', stderr = '') => ({
    code,
    signal: code === null ? ('SIGKILL' as const) : null,
    stdout,
    stderr,
  })
  const how = { mode: 'fail', masks, isKeptBack: false } as const
  t.same(verdictOf(ended(0, 'one\n2 tests passed\n\n'), how), {
    status: 'pass',
    summary: '2 tests passed',
    details: '```\none\n2 tests passed\n```',
  })
  t.match(verdictOf(ended(3), how), { status: 'fail', summary: 'ended with exit status 3' })
  t.match(verdictOf(ended(null), { ...how, mode: 'warn' }), { status: 'warn', summary: 'was ended by SIGKILL' })
  t.match(verdictOf(ended(1, '', 'bad hunter22'), how), { summary: 'bad ***', details: '```\nbad ***\n```' })
  t.same(verdictOf(ended(1, 'it quotes the plan'), { ...how, isKeptBack: true }), {
    status: 'fail',
    summary: 'it quotes the plan',
  })
  const long = verdictOf(ended(1, 'a line\n'.repeat(50_000)), how)
  t.same(boundVerdict(long, quietOutput().output), long, 'it is within the limits')
  t.end()
})

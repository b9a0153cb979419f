import t from 'tap'
import { acceptedEncoding } from '#http/ui/accepted-encoding.ts'

t.test('a request gets the better form that it takes', async (t) => {
  const cases = [
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['gzip;q=0', undefined],
    ['*', 'br'],
    ['*;q=0', undefined],
    ['br;q=0, *', 'gzip'],
    ['zstd', undefined],
    ['', undefined],
    [undefined, undefined],
    ['br;q=nonsense', undefined],
  ] as const
  for (const [header, encoding] of cases) t.equal(acceptedEncoding(header), encoding, String(header))
})

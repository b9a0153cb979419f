import type { Dice } from './dice.ts'

/** Texts that have broken services before: each is JSON that a client could send. */
const hostile: readonly string[] = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\udc00x',
  '\u202egnp',
  '\ufeff',
  '../../etc/passwd',
  '%2e%2e%2f',
  '%00',
  "'; drop table runs; --",
  '$1',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'NaN',
  '-1',
  '9007199254740993',
  '1e400',
  '2026-13-45T99:99:99Z',
  '0000-00-00T00:00:00Z',
  '+275760-09-13T00:00:00.001Z',
  '00000000-0000-0000-0000-000000000000',
  '[',
  '(((((((((((((((((((((((((a*)*)*)*)*)*)*)*',
  '💥'.repeat(300),
  'ß'.repeat(3000),
  '\n'.repeat(60_000),
  '`'.repeat(20_000),
  `${'a/'.repeat(600)}b`,
  `*${'a'.repeat(300)}*`.repeat(20),
]

export const hostileText = (dice: Dice): string => dice.one(hostile)

/** Numbers at and past every edge that a schema or a column may have. */
export const hostileNumber = (dice: Dice): number =>
  dice.one([0, -0, -1, 0.5, 1e-300, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 2 ** 53 + 2, 2 ** 63, 1e308, -1e308])

const nested = (depth: number): unknown => {
  let value: unknown = 1
  for (let level = 0; level < depth; level += 1) value = level % 2 ? [value] : { a: value }
  return value
}

/** Any value of JSON, in place of what is asked for. */
export const hostileValue = (dice: Dice): unknown =>
  dice.one<() => unknown>([
    () => hostileText(dice),
    () => hostileText(dice),
    () => hostileNumber(dice),
    () => null,
    () => true,
    () => [],
    () => ({}),
    () => nested(dice.below(2000)),
    () => Array.from({ length: dice.below(3000) }, () => null),
    () => Object.fromEntries(Array.from({ length: dice.below(1000) }, (_, index) => [`k${index}`, index])),
    () => JSON.parse('{"__proto__": {"admin": true}, "constructor": 1}'),
  ])()

/** Bodies that are no JSON, or no JSON alone. */
export const brokenBody = (dice: Dice, text: string): Buffer =>
  dice.one<() => Buffer>([
    () => Buffer.from(text.slice(0, -1)),
    () => Buffer.from(`${text}${text}`),
    () => Buffer.from(`\ufeff${text}`),
    () => Buffer.from([0xff, 0xfe, 0x00, 0xc3, 0x28]),
    () => Buffer.alloc(0),
    () => Buffer.from('   \n'),
    () => Buffer.from('['.repeat(100_000)),
    () => Buffer.from(`{"a":${'9'.repeat(10_000)}}`),
    () => Buffer.from(`{${'"a":1,'.repeat(5000)}"a":1}`),
    () => Buffer.from(text.replace(/"/g, "'")),
  ])()

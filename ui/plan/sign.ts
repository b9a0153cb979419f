import { many } from '../parts/words.ts'
import type { Does } from './heading.ts'

/** What a line of a plan does, by the sign that it begins with. A line without changes nothing. */
export type LineTone = 'add' | 'change' | 'destroy' | 'replace' | 'quiet' | undefined

export const toneOf = (line: string): LineTone => {
  const [, sign = ''] = /^ *(-\/\+|\+\/-|<=|[-+~#])(?= )/.exec(line) ?? []
  if (sign === '+' || sign === '~' || sign === '-')
    return ({ '+': 'add', '~': 'change', '-': 'destroy' } as const)[sign]
  if (sign === '#') return 'quiet'
  return sign === '' || sign === '<=' ? undefined : 'replace'
}

/** How what a plan does is shown: its sign, its word, the heading of those alike, and its colour. */
export type Look = { sign: string; word: string; heading: (count: number) => string; tone: LineTone }

/** `1 is`, `2 are`. */
const are = (count: number): string => many(count, 'is', 'are')

/** Destroys first: the order of lists. */
export const looks: Record<Does, Look> = {
  destroy: { sign: '−', word: 'destroyed', heading: (n) => `${are(n)} destroyed`, tone: 'destroy' },
  replace: { sign: '±', word: 'replaced', heading: (n) => `${are(n)} replaced`, tone: 'replace' },
  change: { sign: '~', word: 'changed in place', heading: (n) => `${are(n)} changed in place`, tone: 'change' },
  add: { sign: '+', word: 'created', heading: (n) => `${are(n)} created`, tone: 'add' },
  import: { sign: '⇥', word: 'imported', heading: (n) => `${are(n)} imported`, tone: 'add' },
  move: { sign: '→', word: 'moved', heading: (n) => `${many(n, 'has', 'have')} moved`, tone: undefined },
  forget: {
    sign: '×',
    word: 'no longer managed, not destroyed',
    heading: (n) => `${are(n)} no longer managed`,
    tone: undefined,
  },
  read: { sign: '≤', word: 'read during the apply', heading: (n) => `${are(n)} read`, tone: undefined },
  drift: {
    sign: '≠',
    word: 'changed outside of the tool',
    heading: (n) => `${n} changed outside of the tool`,
    tone: undefined,
  },
}

/** Every way, in the order of lists. */
export const doings = Object.keys(looks) as Does[]

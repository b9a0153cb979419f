import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { looks } from '../../../ui/status/table.ts'

const root = join(import.meta.dirname, '../../../ui')
const tokens = readFileSync(join(root, 'style/tokens.css'), 'utf8')

/** The colours by their names: the light one and the dark one. */
const colours = new Map(
  [...tokens.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)].map(
    ([, name = '', light = '', dark = '']) => [name, { light, dark }],
  ),
)

/** Of WCAG 2.2: relative luminance, and the ratio of two. */
const luminance = (hex: string): number => {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

const contrast = (one: string, other: string): number => {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

const holds = (t: Test, text: string, paper: string, least: number): void => {
  for (const theme of ['light', 'dark'] as const) {
    const [ink, back] = [colours.get(text)?.[theme], colours.get(paper)?.[theme]]
    if (ink === undefined || back === undefined) t.fail(`${text} on ${paper}: there is no such colour`)
    else t.ok(contrast(ink, back) >= least, `${text} on ${paper}, ${theme}: ${contrast(ink, back).toFixed(1)}`)
  }
}

const papers = ['bg', 'surface', 'raised']

t.test('text is readable on everything that it is written on', async (t) => {
  for (const paper of papers) {
    holds(t, 'text', paper, 13)
    holds(t, 'quiet', paper, 5.8)
    holds(t, 'accent', paper, 4.5)
    for (const kind of ['add', 'change', 'destroy', 'replace']) holds(t, kind, paper, 4.5)
  }
  for (const tint of ['selected', 'mark', 'pending-tint']) holds(t, 'text', tint, 7)
  holds(t, 'on-accent', 'accent', 4.5)
  holds(t, 'bg', 'failed', 4.5)
})

t.test('every status is readable on its tint and on every paper', async (t) => {
  const { drifted, checked, ...tables } = looks
  const tones = new Set(
    [drifted, checked, ...Object.values(tables).flatMap((table) => Object.values(table))].map(({ tone }) => tone),
  )
  t.ok(tones.size > 5)
  for (const tone of tones) {
    holds(t, tone, `${tone}-tint`, 5.7)
    for (const paper of papers) holds(t, tone, paper, 4.5)
  }
})

t.test('what can be operated is seen', async (t) => {
  for (const paper of papers) holds(t, 'control', paper, 3)
})

t.test('no other file names a colour', async (t) => {
  const files = globSync('**/*.{css,ts,tsx}', { cwd: root, exclude: ['dist/**', 'style/tokens.css'] })
  t.ok(files.length > 50)
  const named = /#[0-9a-f]{3}(?:[0-9a-f]{3})?(?:[0-9a-f]{2})?\b(?!['"])|\b(?:rgba?|hsla?|oklch|color-mix)\(/i
  for (const file of files) {
    const code = readFileSync(join(root, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
    t.notMatch(code, named, file)
  }
  t.match('a { color: #fff; }', named)
})

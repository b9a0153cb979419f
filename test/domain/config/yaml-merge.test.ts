import t from 'tap'
import { parseRepoConfig } from '#domain/config/config-file.ts'
import { readYaml } from '#domain/config/yaml-text.ts'

const valueIn = (text: string): unknown => {
  const yaml = readYaml(text)
  return yaml.ok ? yaml.read.value : yaml.problems.map(({ line, column, message }) => `${line}:${column} ${message}`)
}

const sorted = (map: object) => Object.entries(map).sort()

t.test('what << brings into a map', async (t) => {
  const cases: [what: string, text: string, value: unknown][] = [
    ['the keys of another map', 'a: &a {x: 1, y: 2}\nb: {<<: *a, z: 3}', { x: 1, y: 2, z: 3 }],
    ['but for those that it has itself, wherever they are', 'a: &a {x: 1, y: 2}\nb: {y: 3, <<: *a}', { x: 1, y: 3 }],
    ['of several maps the first one', 'a: [&a {x: 1}, &c {x: 2, y: 2}]\nb: {<<: [*a, *c]}', { x: 1, y: 2 }],
    ['through another one', 'a: &a {x: 1}\nc: &c {<<: *a, y: 2}\nb:\n  <<: *c\n  x: 3', { x: 3, y: 2 }],
    ['a map that is written there', 'b: {<<: {x: 1}, y: 2}', { x: 1, y: 2 }],
    ['an empty one', 'a: &a {}\nb: {<<: *a}', {}],
    ['as a key in quotes nothing', 'b: {"<<": 1}', { '<<': 1 }],
    ['and nothing of a prototype', 'a: &a {__proto__: {x: 1}}\nb: {<<: *a}', JSON.parse('{"__proto__": {"x": 1}}')],
  ]
  for (const [what, text, value] of cases)
    t.same(sorted((valueIn(text) as { b: object }).b), sorted(value as object), what)
})

t.test('what << takes is told at its place', async (t) => {
  const expected = "'<<' takes a map, such as *base, or a list of maps"
  t.same(valueIn('a: &a [1]\nb:\n  <<: *a'), [`3:7 ${expected}`])
  t.same(valueIn('b: {<<: text}'), [`1:9 ${expected}`])
  t.same(valueIn('a: &a {}\nb: {<<: [*a, 1]}'), [`2:14 ${expected}`])
  t.same(valueIn('a: &a {}\nb: {<<: *a, <<: *a}'), ["2:13 '<<' is there twice: give it a list of maps"])
  t.same(valueIn('b: {<<: *a}'), ["1:9 the alias '*a' has no anchor before it"])
  t.same(valueIn('b: &b {<<: *b}'), ["1:12 the alias '*b' is inside of what it stands for"])
  const keys = Array.from({ length: 101 }, (_, i) => `k${i}: 1`).join(', ')
  const all = `a: &a {${keys}}\nb: [${'{<<: *a}, '.repeat(100)}]`
  t.match(
    valueIn(all),
    [/^2:\d+ the aliases up to here stand for more than 10000 values$/],
    'bounded like other aliases',
  )
})

t.test('a problem in what << or an alias brings in is told where it is written', async (t) => {
  const parsed = parseRepoConfig(`version: 1
stacks:
  - &base
    match: live/**
    workspace: "{nam}"
    instances: &two { eu: { enviroment: x } }
  - <<: *base
    match: dns
    depends_on: [/abs]
  - { match: mail, instances: *two }
  - { <<: *base, match: { }, workspace: w }
`)
  const places = parsed.ok ? [] : parsed.problems.map(({ line, column, key }) => `${line}:${column} ${key}`)
  t.same(places, [
    '5:16 stacks[0].workspace',
    '5:16 stacks[1].workspace',
    '6:29 stacks[0].instances.eu.enviroment',
    '6:29 stacks[1].instances.eu.enviroment',
    '6:29 stacks[2].instances.eu.enviroment',
    '6:29 stacks[3].instances.eu.enviroment',
    '9:18 stacks[1].depends_on[0]',
    '11:25 stacks[3].match',
  ])
})

t.test('entries share settings', async (t) => {
  const parsed = parseRepoConfig(`version: 1
stacks:
  - &base { match: app, environment: production, tool: tofu }
  - { <<: *base, match: dns, environment: }
`)
  t.match(parsed, { ok: true, config: { stacks: [{ match: 'app' }, { match: 'dns', tool: 'tofu' }] } })
  t.notOk(
    parsed.ok && parsed.config.stacks[1] && 'environment' in parsed.config.stacks[1],
    'an empty key means its default',
  )
})

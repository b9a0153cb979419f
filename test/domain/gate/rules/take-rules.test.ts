import t from 'tap'
import { parseRepoConfig } from '#domain/config/config-file.ts'
import type { PlanFact } from '#domain/gate/facts.ts'
import { rulesTaken, TooManyDemands, takeRules } from '#domain/gate/rules/take-rules.ts'
import { paceOfMachine } from '#test/helpers/pace.ts'
import { processorTime } from '#test/helpers/processor-time.ts'

/** All places of a text of many `a` seem to match these, up to their last character. */
const hostile = (count: number) => Array.from({ length: count }, (_, i) => `*${'a'.repeat(280)}${i}b`)

const policyOf = (text: string) => {
  const parsed = parseRepoConfig(`version: 1\n${text}`)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  return parsed
}

/** Nearly as many rules as there may be, with as many globs as one may have: in the file they are there once. */
const rulesWith = (key: string, more = '', globs = hostile(50)) =>
  policyOf(
    `apply:\n  rules:\n    - ${key}: &globs ${JSON.stringify(globs)}${more}\n${`    - ${key}: *globs${more}\n`.repeat(190)}`,
  )

const planOf = (keys: readonly string[], addresses: readonly string[] = []): PlanFact => ({
  runId: 'r',
  sha: 'a'.repeat(40),
  status: 'planned',
  stacks: keys.map((key) => ({
    ...{ key, path: key, runId: 'r', status: 'planned', checks: [] },
    summary: { adds: 0, changes: 0, replaces: 0, destroys: addresses.length, destroyed: [...addresses] },
  })),
})

/** Processor time of the longest of the first so many steps, in ms. */
const longestStep = (asked: Parameters<typeof takeRules>[0], count = 400): number => {
  const steps = takeRules(asked)
  let longest = 0
  for (let taken = 0; taken < count; taken += 1) {
    const before = processorTime()
    const { done } = steps.next()
    longest = Math.max(longest, processorTime() - before)
    if (done) break
  }
  return longest / paceOfMachine()
}

const key = 'a'.repeat(900)
const addresses = Array.from({ length: 500 }, (_, i) => `x.${'a'.repeat(950)}${i}`)

const stacks = hostile(3000)
  .map((match) => `- match: '${match}'\n`)
  .join('')

const deep = Array.from({ length: 50 }, (_, i) => `${'a/'.repeat(145)}*${i}`)
const tags = (letter: string) => Array.from({ length: 50 }, (_, i) => `${letter}${i}`)
const tagged = Array.from(
  { length: 400 },
  (_, i) => `- { match: '**', tags: ${JSON.stringify(tags(`t${i}-`))} }\n`,
).join('')

const cases = {
  'globs of `stacks`, whose tags a rule asks for': {
    policy: policyOf(`apply: { rules: [{ tag: x }] }\nstacks:\n${stacks}`),
    plan: planOf([key]),
  },
  'globs of `stacks`, where each is applied': { policy: policyOf(`stacks:\n${stacks}`), plan: planOf([key]) },
  'globs of rules': { policy: rulesWith('match'), plan: planOf([key]) },
  'globs of rules, of many segments': { policy: rulesWith('match', '', deep), plan: planOf([key]) },
  'environments of rules': {
    policy: rulesWith(
      'environment',
      '',
      Array.from({ length: 50 }, (_, i) => `${'{path}'.repeat(16)}${i}`),
    ),
    plan: planOf([key]),
  },
  'tags of rules': {
    policy: policyOf(
      `stacks:\n${tagged}apply: { rules: [${Array.from({ length: 190 }, () => `{ tag: ${JSON.stringify(tags('x'))} }`).join(', ')}] }`,
    ),
    plan: planOf([key]),
  },
  'resources that rules are for': { policy: rulesWith('when: { resources', ' }'), plan: planOf(['a'], addresses) },
  'resources that rules protect': {
    policy: rulesWith('protect', '\n      approve_teams: [dba]'),
    plan: planOf(['a'], addresses),
  },
}

t.test('rules that stacks take in too many combinations are not judged', async (t) => {
  const letters = [...'abcdefghijklmno']
  const rules = letters.map((letter) => `{ match: '**/*${letter}*', checks: [cost] }`)
  const policy = policyOf(`apply: { rules: [${rules.join(', ')}, ${Array(60).fill('{ checks: [cost] }').join(', ')}] }`)
  const keys = Array.from({ length: 400 }, (_, i) => `s/z${letters.filter((_, bit) => (i >> bit) & 1).join('')}`)
  try {
    t.fail(`${rulesTaken({ policy, plan: planOf(keys) })?.demands.length} demands`)
  } catch (error) {
    t.ok(error instanceof TooManyDemands)
  }
  t.equal(rulesTaken({ policy, plan: planOf(keys.slice(0, 100)) })?.demands.length, 100)
})

t.test('rules name a bounded number of checks and teams', async (t) => {
  const names = (count: number, from = 0) => JSON.stringify(Array.from({ length: count }, (_, i) => `c${from + i}`))
  const file = (key: string, last: number) =>
    `version: 1\napply: { rules: [{ ${key}: ${names(50)} }, { ${key}: ${names(50, 50)} }, { ${key}: ${names(last, 99)} }] }`
  for (const key of ['checks', 'teams', 'approve_teams']) {
    t.match(parseRepoConfig(file(key, 1)), { ok: true }, key)
    t.match(parseRepoConfig(file(key, 2)), { ok: false, problems: [{ message: /name 101 different .*100 at most/ }] })
  }
  for (const key of ['checks', 'teams'])
    t.match(parseRepoConfig(`version: 1\napply: { ${key}: ${names(51)} }`), { ok: false }, `apply.${key}`)
})

for (const [what, asked] of Object.entries(cases))
  t.test(`${what}: others have turns while they are matched`, async (t) => {
    longestStep(asked)
    const ms = longestStep(asked)
    t.ok(ms < 50, `${ms.toFixed(1)} ms`)
  })

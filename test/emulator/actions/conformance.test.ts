// biome-ignore-all lint/suspicious/noTemplateCurlyInString: workflow files write expressions that way
import t from 'tap'
import { parse } from 'yaml'
import { ExpressionError } from '#emulator/actions/expressions/lexer.ts'
import { fillText } from '#emulator/actions/expressions/template.ts'
import { shippedWorkflow, shippedWorkflows } from '#runner/workflows/shipped.ts'
import { random } from '#test/helpers/random.ts'
import { githubText, workflowProblems } from './github-parsers.ts'

/** The steps that a workflow only proposes, in comments. */
const withProposals = (text: string): string =>
  text.replaceAll(/^( +)# ((?:- (?:if|uses|run):| {2}).*)$/gm, (_, indent: string, rest: string) => `${indent}${rest}`)

t.test('the shipped workflows, with and without what they propose, are right by GitHub’s own parser', async (t) => {
  for (const name of shippedWorkflows) {
    for (const action of [undefined, 'acme/svc@v1']) {
      const text = await shippedWorkflow(name, action)
      const whole = withProposals(text)
      const steps = (of: string) =>
        Object.values(parse(of).jobs as { [id: string]: { steps: object[] } }).flatMap((job) => job.steps).length
      t.ok(steps(whole) >= steps(text) + 4, `${name}: ${steps(whole) - steps(text)} steps are proposed`)
      for (const variant of [text, whole])
        t.same(await workflowProblems(name, variant), [], `${name}, ${action ?? 'no action'}`)
    }
  }
})

t.test('GitHub’s parser says what is wrong', async (t) => {
  const text = await shippedWorkflow('svc-plan.yml')
  t.match(await workflowProblems('x.yml', text.replace('timeout-minutes:', 'timeout-minute:')), [/timeout-minute/])
  t.match(await workflowProblems('x.yml', text.replace('steps.resolve.outputs.any', 'stepz.resolve.outputs.any')), [
    /stepz/,
  ])
})

const contexts = {
  github: {
    event: { number: 7, head: { sha: 'abc', repo: null } },
    ref: 'refs/pull/7/merge',
    repository: 'Octo/Infra',
  },
  matrix: { stack: 'aws/prod', list: ['a', 'B', null, 1.5, true], flags: { deep: [true] }, 'dashed-name': 1 },
  env: { EMPTY: '', ZERO: '0', Mixed_Case: 'yes', big: '1e3' },
}

const leaves = [
  ...['null', 'true', 'false', '0', '1', '-9.2', '.5', '0xff', '1e3', "''", "'text'", "'It''s'", "'0'", "' 7 '"],
  ...[
    'github.ref',
    'github.event.number',
    'github.event.head.repo',
    'github.event.missing.deeper',
    'matrix.list',
    'matrix.list[1]',
  ],
  ...["matrix['dashed-name']", 'matrix.flags', 'env.EMPTY', 'env.zero', 'env.Mixed_case', 'env.big', 'matrix.list[9]'],
]
const operators = ['==', '!=', '<', '<=', '>', '>=', '&&', '||']

/*
 * Not generated: `.*`, which the emulator refuses, and numbers of more than 15 digits or below 1e-5 or over 1e15, which GitHub's runner writes as .NET does and this evaluator,
 * made for editors, as JavaScript does.
 */
t.test('generated expressions have the value that GitHub’s evaluator gives them', async (t) => {
  const below = random(20_261)
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T
  const made = (depth: number): string => {
    const kind = depth === 0 ? 0 : below(10)
    const inner = () => made(depth - 1)
    if (kind < 3) return pick(leaves)
    if (kind < 6) return `(${inner()} ${pick(operators)} ${inner()})`
    if (kind === 6) return `!${inner()}`
    const call = pick(['contains', 'startsWith', 'endsWith', 'join', 'format', 'toJSON', 'fromJSON'] as const)
    if (call === 'format') return `format('{0}-{1}{{}}', ${inner()}, ${inner()})`
    if (call === 'fromJSON') return `fromJSON(toJSON(${inner()}))`
    return call === 'toJSON' ? `toJSON(${inner()})` : `${call}(${inner()}, ${inner()})`
  }
  const ours = (expression: string): string | undefined => {
    try {
      return fillText(`\${{ ${expression} }}`, { contexts })
    } catch (error) {
      if (error instanceof ExpressionError || error instanceof Error) return undefined
      throw error
    }
  }
  let refused = 0
  const differing: object[] = []
  for (let n = 0; n < 20_000; n += 1) {
    const expression = made(1 + (n % 4))
    const [own, githubs] = [ours(expression), githubText(expression, contexts)]
    if (githubs === undefined) refused += 1
    if (own !== githubs) differing.push({ expression, own, githubs })
  }
  t.same(differing.slice(0, 10), [], `${differing.length} of 20,000 differ`)
  t.ok(refused < 2000, `${refused} are refused`)
})

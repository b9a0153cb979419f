import t from 'tap'
import { fencedPlan } from '#domain/texts/markdown.ts'
import { planDiff } from '#domain/texts/plan-diff.ts'

const lines: [given: string, shown: string][] = [
  ['  + resource "aws_vpc" "main" {', '+   resource "aws_vpc" "main" {'],
  ['      ~ cidr = "10.0.0.0/16" -> "10.1.0.0/16"', '!       cidr = "10.0.0.0/16" -> "10.1.0.0/16"'],
  ['  - resource "aws_vpc" "old" {', '-   resource "aws_vpc" "old" {'],
  ['-/+ resource "aws_vpc" "again" {', '-/+ resource "aws_vpc" "again" {'],
  ['+/- resource "aws_vpc" "again" {', '+/- resource "aws_vpc" "again" {'],
  ['± aws_vpc.again', '-/+ aws_vpc.again'],
  ['~ aws_vpc.main', '! aws_vpc.main'],
  ['  # aws_vpc.main will be created', '  # aws_vpc.main will be created'],
  ['    id = "a - b"', '    id = "a - b"'],
  ['  -target=module.a', '  -target=module.a'],
  ['-----', '-----'],
  ['', ''],
]

t.test('the sign of a change stands in front of its line', async (t) => {
  for (const [given, shown] of lines) t.equal(planDiff(given), shown, given)
  t.equal(
    planDiff(lines.map(([given]) => given).join('\n')),
    lines.map(([, shown]) => shown).join('\n'),
    'of each line',
  )
})

t.test('a plan in colours has its signs in front, too', async (t) => {
  t.equal(fencedPlan('\u001b[32m  +\u001b[0m a = 1\n'), '```diff\n+   a = 1\n```')
})

t.test('a plan that is cut stays within its room', async (t) => {
  const plan = '± aws_vpc.again\n'.repeat(100)
  t.ok(fencedPlan(plan, 500).length <= 500)
  t.match(fencedPlan(plan, 500, '… cut'), /^```diff\n-\/\+ [\s\S]*\n… cut\n```$/)
})

import t from 'tap'
import { readRecordings } from '#dev/stand-in/recordings.ts'
import { headingOf } from '../../../ui/plan/heading.ts'
import { listOf } from '../../../ui/plan/list.ts'
import { outlineOf, type Resource, type Section } from '../../../ui/plan/outline.ts'

const { plans } = readRecordings('/state')
const recorded = [...plans.values()].filter(({ exitCode }) => exitCode === 2)

const resourcesOf = (sections: readonly Section[]): Resource[] => sections.filter((one) => one.kind === 'resource')

type Json = { resource_changes?: { address: string; mode: string; change: { actions: string[] } }[] }

/** What the tool's own JSON says of a plan: `replace module.subnet["a"].terraform_data.subnet`. */
const told = (json: unknown): string[] =>
  ((json as Json).resource_changes ?? [])
    .filter(({ mode }) => mode === 'managed')
    .flatMap(({ address, change: { actions } }) => {
      const has = (action: string) => actions.includes(action)
      if (has('create')) return [`${has('delete') ? 'replace' : 'add'} ${address}`]
      if (has('update')) return [`change ${address}`]
      return has('delete') ? [`destroy ${address}`] : []
    })
    .sort()

t.test('recorded plans have the resources that the JSON of the tool has', async (t) => {
  t.ok(recorded.length > 20)
  for (const { stack, text, json } of recorded) {
    const found = resourcesOf(outlineOf(text).sections).filter(({ does }) => does !== 'read')
    t.same(found.map(({ does, address }) => `${does} ${address}`).sort(), told(json), stack)
  }
})

t.test('no line of a recorded plan is lost, but for empty ones between the parts', async (t) => {
  for (const { stack, text } of recorded) {
    const { lines, sections } = outlineOf(text)
    let at = 0
    for (const { from, to } of sections) {
      t.same(lines.slice(at, from).join('').trim(), '', `${stack}: before line ${from + 1}`)
      t.ok(to > from)
      at = to
    }
    t.same(lines.slice(at).join('').trim(), '', `${stack}: at the end`)
  }
})

t.test('each resource goes from its heading to its brace', async (t) => {
  for (const { text } of recorded) {
    const { lines, sections } = outlineOf(text)
    for (const { from, to } of resourcesOf(sections)) {
      t.match(lines[from], /^ {2}# /)
      t.equal(lines[to - 1], '    }')
    }
  }
})

t.test('every way in which a tool begins a resource', async (t) => {
  const said: [string, string][] = [
    ['aws_x.y will be created', 'add aws_x.y'],
    ['aws_x.y["a b # c"] will be updated in-place', 'change aws_x.y["a b # c"]'],
    ['aws_x.y will be destroyed', 'destroy aws_x.y'],
    ['aws_x.y (deposed object 1a2b) will be destroyed', 'destroy aws_x.y (deposed object 1a2b)'],
    ['aws_x.y must be replaced', 'replace aws_x.y'],
    ['aws_x.y is tainted, so must be replaced', 'replace aws_x.y: it is tainted'],
    ['aws_x.y will be replaced, as requested', 'replace aws_x.y: as requested'],
    [
      'aws_x.y will be replaced due to changes in replace_triggered_by',
      'replace aws_x.y: due to changes in replace_triggered_by',
    ],
    ['data.aws_x.y will be read during apply', 'read data.aws_x.y'],
    ['aws_x.old has moved to aws_x.new', 'move aws_x.new: was aws_x.old'],
    ['aws_x.y will be imported', 'import aws_x.y'],
    ['aws_x.y will no longer be managed by Terraform, but will not be destroyed', 'forget aws_x.y'],
    ['aws_x.y will be removed from the OpenTofu state but will not be destroyed', 'forget aws_x.y'],
    ['aws_x.y has changed', 'drift aws_x.y'],
    ['aws_x.y has been deleted', 'drift aws_x.y: deleted outside of the tool'],
  ]
  for (const [sentence, meant] of said) {
    const { does, address, why } = headingOf(`  # ${sentence}`) ?? {}
    t.equal(`${does} ${address}${why === undefined ? '' : `: ${why}`}`, meant)
  }
  for (const line of ['  # (4 unchanged attributes hidden)', '    # x will be created', '# x will be created', ''])
    t.equal(headingOf(line), undefined, line)
})

const text = `
Terraform will perform the following actions:

  # aws_group.main must be replaced
+/- resource "aws_group" "main" {
      ~ id   = "a" -> (known after apply)
      ~ name = "a" -> "b" # forces replacement

      + parameter {
          + value = <<-EOT
              # aws_rule.fake will be destroyed
            EOT
        }
    }

  # aws_rule.legacy will be destroyed
  # (because aws_rule.legacy is not in configuration)
  - resource "aws_rule" "legacy" {
      - id = "x" -> null
    }

  # aws_moved.a has moved to aws_moved.b
    resource "aws_moved" "b" {
        id = "m"
    }

Plan: 1 to add, 0 to change, 2 to destroy.

Warning: something
`

t.test('why a resource is replaced or destroyed, and what the tool counts', async (t) => {
  const outline = outlineOf(text)
  t.same(
    resourcesOf(outline.sections).map(
      ({ does, address, why, from, to }) => `${from + 1}-${to} ${does} ${address}: ${why}`,
    ),
    [
      '4-14 replace aws_group.main: name forces it, line 7',
      '16-20 destroy aws_rule.legacy: is not in configuration',
      '22-25 move aws_moved.b: was aws_moved.a',
    ],
  )
  t.same(
    outline.sections.filter(({ kind }) => kind === 'rest').map(({ from, to }) => `${from + 1}-${to}`),
    ['2-2', '27-29'],
  )
  t.equal(outline.totals, 'Plan: 1 to add, 0 to change, 2 to destroy.')
  t.same(
    listOf(outline).map(({ does, resources }) => `${does} ${resources.length}`),
    ['destroy 1', 'replace 1', 'move 1'],
    'destroys come first',
  )
})

t.test('a text that is no plan is one part', async (t) => {
  t.same(outlineOf('Error: no\n\non main.tf line 1\n').sections, [{ kind: 'rest', from: 0, to: 3 }])
  t.same(outlineOf('').sections, [])
})

t.test('a resource that is cut off ends with the text', async (t) => {
  const cut = text.split('\n').slice(0, 9).join('\n')
  t.same(
    resourcesOf(outlineOf(cut).sections).map(({ from, to }) => [from, to]),
    [[3, 9]],
  )
})

t.test('four times the text takes no more than ten times the time', async (t) => {
  const block = text.slice(text.indexOf('  # aws_group'), text.indexOf('Plan:'))
  const [short, long] = [block.repeat(1000), block.repeat(4000)]
  const took = (whole: string): number => {
    const start = performance.now()
    outlineOf(whole)
    return performance.now() - start
  }
  // the best of some of each, in turn: the first call is slow, and others use the machine; quadratic work would take 16 times as long
  const best = { short: Number.POSITIVE_INFINITY, long: Number.POSITIVE_INFINITY }
  const isLinear = (): boolean => best.long < best.short * 10
  for (let round = 0; round < 60 && !(round >= 9 && isLinear()); round += 1) {
    best.short = Math.min(best.short, took(short))
    best.long = Math.min(best.long, took(long))
  }
  t.ok(isLinear(), `${best.short} ms, then ${best.long} ms`)
})

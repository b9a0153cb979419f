import { writeFile } from 'node:fs/promises'
import type { z } from 'zod'
import { actions } from '#machines/actions.ts'
import {
  type DescribedState,
  type DescribedTransition,
  type Description,
  describe,
  type NamedAction,
} from '#machines/describe.ts'
import type { Kind } from '#machines/index.ts'

const about: Record<Kind, string> = {
  run: 'One per run, the root of its stacks and dispatches: they change only while its row is locked.',
  stack: "One per stack of a run. A drift run uses the plan's outcomes: `planned` then means drifted.",
  lock: 'One per stack that was ever locked: which pull request or manual run may change the stack.',
  dispatch: 'One per workflow_dispatch that the service sends: from the request to the end of its workflow run.',
}

const keyOf = (name: string): string => name.slice(name.lastIndexOf('.') + 1)

const parentOf = (name: string): string => name.slice(0, Math.max(name.lastIndexOf('.'), 0))

const indent = (lines: string[]): string[] => lines.map((line) => `  ${line}`)

/** Declares states and, inside a state that has any, its inner ones; Mermaid allows no dots in names. */
const nested = (states: DescribedState[], parent: string, initial: string): string[] => [
  `[*] --> ${initial}`,
  ...states
    .filter(({ name }) => parentOf(name) === parent)
    .flatMap((state) =>
      state.initial === undefined
        ? [keyOf(state.name)]
        : [`state ${keyOf(state.name)} {`, ...indent(nested(states, state.name, state.initial)), '}'],
    ),
]

/** One arrow from state to state, with the events that lead along it; guards are in the table. */
const arrows = (states: DescribedState[]): string[] => {
  const events = new Map<string, Set<string>>()
  for (const state of states) {
    for (const { event, target } of state.on) {
      if (target === undefined || target === state.name) continue
      const arrow = `${keyOf(state.name)} --> ${keyOf(target)}`
      events.set(arrow, (events.get(arrow) ?? new Set()).add(event))
    }
  }
  return [...events].map(([arrow, names]) => `${arrow}: ${[...names].join(', ')}`)
}

const diagram = ({ states, initial }: Description): string[] => [
  '```mermaid',
  'stateDiagram-v2',
  ...indent(nested(states, '', initial)),
  ...indent(arrows(states)),
  ...indent(states.filter((state) => state.final).map((state) => `${keyOf(state.name)} --> [*]`)),
  '```',
]

const actionText = ({ type, params }: NamedAction): string => {
  if (type === 'refuse') return params ? `refused, \`${params.code}\`: ${params.reason}` : 'refused, `locked`'
  if (type === 'settle' && params) return `settle as ${params.status}${params.from ? `, from ${params.from}` : ''}`
  if (type === 'scheduleTimer' && params) return `scheduleTimer ${params.name}: ${params.seconds} s`
  if (type === 'cancelTimer' && params) return `cancelTimer ${params.name}`
  if (type === 'tellOpenStacks' && params) return `${type} ${Object.values(params.event as object).join(': ')}`
  return type
}

const row = (cells: string[]): string => `| ${cells.join(' | ')} |`

const transitionRow = (state: string, { event, guard, target, actions }: DescribedTransition): string =>
  row([state, guard ? `${event} [${guard}]` : event, target ?? 'same', actions.map(actionText).join('; ')])

const borderRows = ({ name, entry, exit }: DescribedState): string[] => [
  ...(entry.length > 0 ? [row([name, 'on entering', '', entry.map(actionText).join('; ')])] : []),
  ...(exit.length > 0 ? [row([name, 'on leaving', '', exit.map(actionText).join('; ')])] : []),
]

const table = ({ on, states }: Description): string[] => [
  row(['state', 'event [guard]', 'next', 'actions']),
  '|---|---|---|---|',
  ...states.flatMap((state) => [...borderRows(state), ...state.on.map((one) => transitionRow(state.name, one))]),
  ...on.map((one) => transitionRow('any other', one)),
]

const section = (kind: Kind): string[] => {
  const description = describe(kind)
  return [
    `## ${kind} (version ${description.version})`,
    '',
    about[kind],
    '',
    ...diagram(description),
    '',
    ...table(description),
    '',
  ]
}

const actionRows = Object.entries(actions).map(([name, { sort, params }]) =>
  row([name, sort, Object.keys((params as z.ZodObject).shape).join(', ')]),
)

/** docs/machines.md, made from the machines themselves: a test compares the committed file with this text. */
export const machineDocs = (): string =>
  [
    '# The machines',
    '',
    'Made from `machines/` by `node src/dev/docs/machine-docs.ts`; not to be edited by hand.',
    '',
    'Transitions of one state and event are tried from top to bottom; what an inner state does not handle is tried in the',
    'outer one. A refusal changes nothing. The last table lists the actions; the others are assignments of the machine, except',
    'these, each of which means several:',
    '',
    '- `releaseWave`: startWave, and dispatchWave unless the run is manual;',
    '- `settle`: tellRun, in an apply tellLock, publishStack;',
    '- `hearRefusal`: tellRun if the message is new, and with the first refusal scheduleTimer deadline: 1800 s.',
    '',
    ...section('run'),
    ...section('stack'),
    ...section('lock'),
    ...section('dispatch'),
    '## Actions',
    '',
    'What a machine asks for: a `tell` is an event for another machine in the same transaction, a `job` is work about the run for',
    'the queue, a `notice` is what is written and said about a lock, a `timer` is an event that comes later, a `warning` is one that',
    'the run shows.',
    '',
    row(['action', 'sort', 'parameters']),
    '|---|---|---|',
    ...actionRows,
    '',
  ].join('\n')

if (import.meta.main) await writeFile(new URL('../../../docs/machines.md', import.meta.url), machineDocs())

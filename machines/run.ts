import { runSetup } from './run-setup.ts'

const conflict = (reason: string) => ({ type: 'refuse', params: { code: 'conflict', reason } }) as const
const superseded = {
  type: 'refuse',
  params: { code: 'superseded', reason: 'a newer commit replaced the run' },
} as const

/** A newer head: nothing of a plan is worth keeping, so what is open is cut off. A finished run does not finish twice. */
const replaced = ['noteSuccessor', 'closeOpen', 'supersedeStacks', 'publishRun'] as const
const finishedRunReplaced = { guard: 'plan run', target: '#run.superseded', actions: replaced } as const
const openRunReplaced = { target: '#run.superseded', actions: [...replaced, 'finishRun'] } as const

/**
 * The wave's end after a failure: dependents first, which leaves to `skipRest` only the stacks without a failed predecessor.
 */
const endEarly = ['count', 'blockDependents', 'skipRest'] as const
const ended = ['publishRun', 'finishRun'] as const

/** Longer than a question takes that is asked, and short enough for a person who waits. */
const askAgain = { name: 'window', event: { type: 'window.due' }, seconds: 10 * 60 } as const

const waveOpen = { guard: { type: 'wave', params: 'open' }, actions: ['count', 'awaitCaller'] } as const
const waveAdvances = {
  guard: { type: 'wave', params: 'advance' },
  actions: ['count', 'nextWave', 'releaseWave', 'awaitCaller'],
} as const
/** Inside of a window that holds waves the next one waits; whoever knows the time is asked. */
const waveHeld = {
  guard: { type: 'wave', params: 'ask' },
  target: '#run.applying.holding',
  actions: ['count', 'nextWave'],
} as const
const waveFails = [
  { guard: { type: 'wave', params: 'applied' }, target: '#run.applied', actions: 'count' },
  { guard: { type: 'wave', params: 'failed' }, target: '#run.failed', actions: endEarly },
  { guard: { type: 'wave', params: 'unconfirmed' }, target: '#run.unconfirmed', actions: endEarly },
] as const

/**
 * One run: the aggregate root of its stacks and dispatches. Final states still accept events: the news of blocked and skipped
 * stacks if a run ends early, and late results for unknown ones, must be counted, or the tallies would deviate from the rows.
 */
export const runMachine = runSetup.createMachine({
  id: 'run',
  context: ({ input }) => input,
  initial: 'pending',
  on: {
    'dispatch.refused': {
      actions: { type: 'addWarning', params: ({ event }) => ({ code: 'dispatch_refused', message: event.message }) },
    },
    'graph.resolved': { actions: conflict('the run takes no graph any more') },
    'resolution.failed': { actions: conflict('the run takes no graph any more') },
    'replan.requested': { actions: conflict('only a pending plan run can be planned') },
    'apply.requested': { actions: conflict('only a pending apply run can be applied') },
  },
  states: {
    pending: {
      on: {
        'graph.resolved': [
          { guard: 'plan run, no stack', target: 'planned', actions: 'openTallies' },
          { guard: 'plan run', target: 'planning', actions: ['openTallies', 'startStacks', 'publishRun'] },
        ],
        'resolution.failed': { guard: 'plan run', target: 'failed' },
        'replan.requested': [
          { guard: 'plan run, no stack', target: 'planned', actions: 'openTallies' },
          {
            guard: 'plan run',
            target: 'planning',
            actions: ['openTallies', 'startStacks', 'dispatchAll', 'publishRun'],
          },
        ],
        'apply.requested': [
          { guard: 'apply run, no stack', target: 'applied', actions: 'openTallies' },
          {
            guard: 'apply run',
            target: 'applying',
            actions: ['openTallies', 'releaseWave', 'awaitCaller', 'publishRun'],
          },
        ],
        'head.replaced': openRunReplaced,
      },
    },
    planning: {
      on: {
        // A second upload of the graph replaces the rows of the first, so the tallies start from zero again.
        'graph.resolved': [
          { guard: 'plan run, no stack', target: 'planned', actions: 'openTallies' },
          {
            guard: 'plan run',
            target: 'planning',
            reenter: true,
            actions: ['openTallies', 'startStacks', 'publishRun'],
          },
        ],
        'resolution.failed': { target: 'failed', actions: ['closeOpen', 'supersedeStacks'] },
        'stack.settled': [
          { guard: { type: 'plan', params: 'open' }, actions: 'count' },
          { guard: { type: 'plan', params: 'planned' }, target: 'planned', actions: 'count' },
          { guard: { type: 'plan', params: 'failed' }, target: 'failed', actions: 'count' },
          { guard: { type: 'plan', params: 'unconfirmed' }, target: 'unconfirmed', actions: 'count' },
        ],
        'head.replaced': openRunReplaced,
      },
    },
    planned: { tags: 'final', entry: ended, on: { 'head.replaced': finishedRunReplaced } },
    applying: {
      initial: 'running',
      exit: 'awaitNobody',
      on: {
        // none of its stacks is reported any more, and nobody saw whether they were changed
        'runner.lost': {
          actions: { type: 'tellOpenStacks', params: { event: { type: 'runner.lost', reason: 'not_reported' } } },
        },
      },
      states: {
        running: {
          on: {
            'stack.settled': [
              waveOpen,
              {
                guard: { type: 'wave', params: 'failing' },
                target: 'draining',
                actions: ['count', 'awaitCaller', 'blockDependents'],
              },
              { guard: { type: 'wave', params: 'draining' }, target: 'draining', actions: ['count', 'awaitCaller'] },
              waveAdvances,
              waveHeld,
              ...waveFails,
            ],
            'head.replaced': { target: 'superseding', actions: ['noteSuccessor', 'publishRun'] },
          },
        },
        // Nothing is out. The answer may be lost, so it is asked for again until it comes.
        holding: {
          entry: [{ type: 'scheduleTimer', params: askAgain }, 'askWindow'],
          exit: { type: 'cancelTimer', params: { name: 'window' } },
          on: {
            'wave.cleared': {
              guard: 'the wave in progress',
              target: 'running',
              actions: ['clearHold', 'releaseWave', 'publishRun'],
            },
            'wave.held': { guard: 'the wave in progress', actions: 'hearHold' },
            'window.due': { target: 'holding', reenter: true },
            'head.replaced': { target: '#run.superseded', actions: ['noteSuccessor', 'skipRest', ...ended] },
          },
        },
        // Nothing further is sent out. Only late results of unknown stacks can lead back.
        draining: {
          on: {
            'stack.settled': [
              { ...waveOpen, target: 'running' },
              { guard: { type: 'wave', params: 'failing' }, actions: ['count', 'awaitCaller', 'blockDependents'] },
              { guard: { type: 'wave', params: 'draining' }, actions: ['count', 'awaitCaller'] },
              { ...waveAdvances, target: 'running' },
              waveHeld,
              ...waveFails,
            ],
            'head.replaced': { target: 'superseding', actions: ['noteSuccessor', 'publishRun'] },
          },
        },
        // The jobs under way are changing infrastructure: their results must arrive before the run ends.
        superseding: {
          on: {
            'stack.settled': [
              waveOpen,
              { guard: { type: 'wave', params: 'failing' }, actions: ['count', 'awaitCaller', 'blockDependents'] },
              { guard: { type: 'wave', params: 'draining' }, actions: ['count', 'awaitCaller'] },
              { guard: 'still to be counted', target: '#run.superseded', actions: [...endEarly, ...ended] },
            ],
          },
        },
      },
    },
    applied: { tags: 'final', entry: ended },
    failed: {
      tags: 'final',
      entry: ended,
      on: {
        'stack.settled': [
          { guard: { type: 'late', params: 'counted' }, actions: 'count' },
          { guard: { type: 'late', params: 'applied' }, target: 'applied', actions: 'count' },
          { guard: { type: 'late', params: 'planned' }, target: 'planned', actions: 'count' },
          { guard: { type: 'late', params: 'unconfirmed' }, target: 'unconfirmed', actions: 'count' },
        ],
        'head.replaced': finishedRunReplaced,
      },
    },
    unconfirmed: {
      tags: 'final',
      entry: ended,
      on: {
        'stack.settled': { guard: 'still to be counted', actions: 'count' },
        'head.replaced': finishedRunReplaced,
      },
    },
    superseded: {
      tags: 'final',
      on: {
        'stack.settled': { guard: 'still to be counted', actions: 'count' },
        'graph.resolved': { actions: superseded },
        'resolution.failed': { actions: superseded },
        'replan.requested': { actions: superseded },
        'apply.requested': { actions: superseded },
      },
    },
  },
})

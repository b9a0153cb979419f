import { heldByAnother, type LockContext, lockSetup, pullOf, releaseOf } from './lock-setup.ts'

const remindLater = {
  type: 'scheduleTimer',
  params: ({ context }: { context: LockContext }) => ({
    name: 'reminder',
    event: { type: 'reminder.due' as const },
    seconds: context.remind_after,
  }),
} as const

/** Only a lock of the same pull request can be taken again: the run that holds it is over, or is this very one. */
const takenAgain = (state: 'claimed' | 'changed') =>
  [
    { guard: 'the same run' },
    { guard: 'the same pull request, on merge', target: 'merged', actions: 'acquire' },
    { guard: 'the same pull request', target: state, actions: 'acquire' },
  ] as const

const warned = { target: 'orphaned', actions: 'warnOrphaned' } as const

/**
 * The orchestration lock of one stack: who may change it. It is about code, not about a process: it is held while
 * infrastructure and default branch may differ, and freed only if they agree again or a person decides so.
 */
export const lockMachine = lockSetup.createMachine({
  id: 'lock',
  context: ({ input }) => input,
  initial: 'free',
  states: {
    free: {
      entry: 'clear',
      on: {
        'lock.requested': [
          { guard: 'manual', target: 'held.manual', actions: 'acquire' },
          { guard: 'on merge', target: 'held.merged', actions: 'acquire' },
          { target: 'held.claimed', actions: 'acquire' },
        ],
      },
    },
    held: {
      initial: 'claimed',
      entry: remindLater,
      exit: { type: 'cancelTimer', params: { name: 'reminder' } },
      on: {
        'lock.requested': [
          { guard: 'the same run' },
          { actions: { type: 'refuse', params: ({ context }) => heldByAnother(context) } },
        ],
        'stack.settled': { guard: "its holder's run", actions: 'noteOutcome' },
        'release.requested': [
          {
            guard: 'held by a pull request that is to be told',
            target: 'free',
            actions: [
              { type: 'auditUnlock', params: ({ context, event }) => releaseOf(context, event) },
              {
                type: 'commentUnlocked',
                params: ({ context, event }) => ({ ...releaseOf(context, event), pr_number: pullOf(context) }),
              },
            ],
          },
          {
            target: 'free',
            actions: { type: 'auditUnlock', params: ({ context, event }) => releaseOf(context, event) },
          },
        ],
        'reminder.due': { actions: ['remindHolder', remindLater] },
      },
      states: {
        // Taken, but nothing is done yet.
        claimed: {
          on: {
            'lock.requested': takenAgain('claimed'),
            'stack.changed': { guard: "its holder's run", target: 'changed' },
            'pull_request.closed': [
              { guard: 'merged, apply in flight', target: 'merged', actions: 'noteMerged' },
              { guard: 'unmerged, apply in flight', ...warned },
              { guard: 'its pull request, stack unknown', ...warned },
              { guard: 'its pull request', target: '#lock.free' },
            ],
          },
        },
        // The infrastructure matches the pull request, or its state is unknown; it does not match the default branch.
        changed: {
          on: {
            'lock.requested': takenAgain('changed'),
            'pull_request.closed': [
              { guard: 'merged, apply in flight', target: 'merged', actions: 'noteMerged' },
              {
                guard: 'merged, no apply in flight, stack unknown',
                target: 'orphaned',
                actions: ['noteMerged', 'warnOrphaned'],
              },
              { guard: 'merged, no apply in flight', target: '#lock.free' },
              { guard: 'its pull request', ...warned },
            ],
          },
        },
        // The default branch already says what the apply in flight is about to do.
        merged: {
          on: {
            'stack.settled': [
              { guard: 'applied or noop', target: '#lock.free' },
              { guard: "its holder's run", target: 'orphaned', actions: ['noteOutcome', 'warnOrphaned'] },
            ],
            'run.finished': [
              { guard: 'applied or noop', target: '#lock.free' },
              { guard: "its holder's run", target: 'orphaned', actions: 'warnOrphaned' },
            ],
          },
        },
        // No open pull request is left to bring code and infrastructure together again.
        orphaned: {
          on: {
            'lock.requested': takenAgain('changed'),
            'stack.settled': { guard: 'merged; applied or noop after all', target: '#lock.free' },
            'pull_request.reopened': { guard: 'its pull request', target: 'changed' },
          },
        },
        // A run by API key: any result ends it; a stack without a result waits for a person.
        manual: {
          on: {
            'stack.settled': { guard: 'by a result', target: '#lock.free' },
            'run.finished': { guard: 'never ran: pending, blocked, skipped or superseded', target: '#lock.free' },
          },
        },
      },
    },
  },
})

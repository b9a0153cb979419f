/*
 * What runs are for, what starts them, and how they and their stacks may stand (spec, 'Run', 'RunStack'). One list each: the API's
 * contracts, the rows of the database, the machines and the texts for people are made of them.
 */

export const runModes = ['plan', 'apply', 'drift'] as const
export type RunMode = (typeof runModes)[number]

export const runTriggers = ['pull_request', 'comment', 'push', 'schedule', 'rerequest', 'manual'] as const
export type RunTrigger = (typeof runTriggers)[number]

export const runStatuses = [
  'pending',
  'planning',
  'planned',
  'applying',
  'applied',
  'failed',
  'unconfirmed',
  'superseded',
] as const
export type RunStatus = (typeof runStatuses)[number]

export const stackStatuses = [...runStatuses, 'blocked', 'noop', 'unknown', 'skipped'] as const
export type StackStatus = (typeof stackStatuses)[number]

import type { WorkflowJob } from '#emulator/records.ts'
import type { Fault, RequestFault, RunnerFault, WebhookFault, WorkflowFault } from './fault.ts'

/** An active fault. */
export type StandingFault = {
  /** How often it has struck so far. */
  struck(): number
  /** Resolves once it has struck so often. */
  hasStruck(times?: number): Promise<void>
  remove(): void
}

/** The interface for tests and the demo. */
export type Faults = { add(fault: Fault): StandingFault }

/** The interface for the emulator's parts, which ask before they act; asking counts as a strike. */
export type FaultBook = Faults & {
  onWebhook(event: string, payload: Record<string, unknown>): WebhookFault['effect'] | undefined
  onRequest(request: { method: string; path: string; body: unknown }): RequestStrike | undefined
  onConnection(): boolean
  onRunner(job: WorkflowJob): RunnerFault | undefined
  /** Whether the dispatch is swallowed. */
  onDispatch(path: string): boolean
  onWorkflow(path: string): WorkflowFault['effect'] | undefined
  /** Calls back whenever a fault is added. */
  onAdded(listener: (fault: Fault) => void): void
}

/** `removed` fires when the fault is taken away. */
export type RequestStrike = { effect: RequestFault['effect']; removed: AbortSignal }

type Entry = {
  fault: Fault
  /** How often it may strike. */
  times: number
  struck: number
  waiting: { times: number; resolve: () => void }[]
  removed: AbortController
}

type Of<K extends Fault['kind']> = Extract<Fault, { kind: K }>

type Strike<K extends Fault['kind']> = { fault: Of<K>; removed: AbortSignal }

export const createFaults = (): FaultBook => {
  const entries = new Set<Entry>()
  const listeners: ((fault: Fault) => void)[] = []

  const strike = <K extends Fault['kind']>(kind: K, matches: (fault: Of<K>) => boolean): Strike<K> | undefined => {
    const isOf = (fault: Fault): fault is Of<K> => fault.kind === kind
    for (const entry of entries) {
      const { fault, times, waiting, removed } = entry
      if (!isOf(fault) || entry.struck >= times || !matches(fault)) continue
      entry.struck += 1
      for (const one of waiting) if (entry.struck >= one.times) one.resolve()
      return { fault, removed: removed.signal }
    }
    return undefined
  }

  const add = (fault: Fault): StandingFault => {
    const times = ('times' in fault ? fault.times : undefined) ?? Number.POSITIVE_INFINITY
    const entry: Entry = { fault, times, struck: 0, waiting: [], removed: new AbortController() }
    entries.add(entry)
    for (const tell of listeners) tell(fault)
    return {
      struck: () => entry.struck,
      hasStruck: (times = 1) => {
        const { promise, resolve } = Promise.withResolvers<void>()
        if (entry.struck >= times) resolve()
        else entry.waiting.push({ times, resolve })
        return promise
      },
      remove: () => {
        entries.delete(entry)
        entry.removed.abort()
      },
    }
  }

  const onWorkflow = (path: string, wanted: (effect: WorkflowFault['effect']) => boolean) =>
    strike('workflow', (fault) => wanted(fault.effect) && (fault.path ?? path) === path)?.fault

  return {
    add,
    onWebhook: (event, payload) => strike('webhook', (fault) => hitsWebhook(fault, event, payload))?.fault.effect,
    onRequest: (request) => {
      const hit = strike('request', (fault) => hitsRequest(fault, request))
      return hit && { effect: hit.fault.effect, removed: hit.removed }
    },
    onConnection: () => strike('down', () => true) !== undefined,
    onRunner: (job) => strike('runner', (fault) => hitsRunner(fault, job))?.fault,
    onDispatch: (path) => onWorkflow(path, (effect) => effect === 'swallowed') !== undefined,
    onWorkflow: (path) => onWorkflow(path, (effect) => effect !== 'swallowed')?.effect,
    onAdded: (listener) => listeners.push(listener),
  }
}

const hitsWebhook = (fault: WebhookFault, event: string, payload: Record<string, unknown>): boolean =>
  (fault.event ?? event) === event &&
  (fault.action === undefined || fault.action === payload.action) &&
  (fault.where?.(payload) ?? true)

const hitsRequest = (fault: RequestFault, request: { method: string; path: string; body: unknown }): boolean =>
  (fault.method ?? request.method).toUpperCase() === request.method &&
  (fault.path === undefined || patternOf(fault.path).test(request.path)) &&
  (fault.where?.(request.body) ?? true)

const patternOf = (path: string | RegExp): RegExp => {
  if (typeof path !== 'string') return path
  const parts = path.split(/\{\w+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('[^/]+')}$`)
}

const hitsRunner = (fault: RunnerFault, job: WorkflowJob): boolean =>
  job.status === 'in_progress' &&
  (fault.job === undefined || (typeof fault.job === 'string' ? fault.job === job.name : fault.job.test(job.name))) &&
  (fault.logged?.test(job.log) ?? true)

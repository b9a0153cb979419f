/*
 * What can be made to go wrong, by a test or a demo. Each fault strikes what it matches: the next `times` of them, or as long
 * as it stands where `times` is left out. Of several that match, the one added first strikes.
 */

export type WebhookFault = {
  kind: 'webhook'
  /** Left out: any. */
  event?: string
  action?: string
  where?: (payload: Record<string, unknown>) => boolean
  /**
   * `lose`: on record as a failed delivery that never reached anybody; `vanish`: not even on record; `double`: delivered twice
   * under one GUID; `delayMs`: later by so much, others overtake it; `behind`: after the next n deliveries, or once
   * deliveriesSettled() is asked for.
   */
  effect: 'lose' | 'vanish' | 'double' | { delayMs: number } | { behind: number }
  times?: number
}

export type RequestEffect =
  /** Refused, and not carried out. */
  | { status: number; message?: string; headers?: Record<string, string> }
  /** 403, or 429, with nothing remaining until the reset. */
  | { rateLimit: { resetInSeconds: number; status?: 403 | 429 } }
  /** 403 with retry-after, as for too many writes in a short time. */
  | { secondaryRateLimit: { retryAfterSeconds: number } }
  /** Answered, but so much later. */
  | { slowMs: number }
  /** The connection ends without an answer; `hang`: no answer for as long as the fault stands, then the connection ends. */
  | 'drop-before'
  | 'hang-before'
  /** The same, with the request carried out: a workflow dispatched all the same. */
  | 'drop-after'
  | 'hang-after'
  /** Carried out, and the connection ends in the middle of the answer. */
  | 'truncate'

export type RequestFault = {
  kind: 'request'
  method?: string
  /** GitHub's template (`/repos/{owner}/{repo}/…`), a path, or a pattern that the path without its query must match. */
  path?: string | RegExp
  where?: (body: unknown) => boolean
  effect: RequestEffect
  times?: number
}

/** Every connection ends before a request is read: REST, tokens and pages alike. */
export type DownFault = { kind: 'down' }

export type RunnerFault = {
  kind: 'runner'
  /** The job's displayed name. */
  job?: string | RegExp
  /**
   * Strikes once the job's log matches; at its first output without. The log shows each script before it runs: `/^text/m`
   * tells what a script says from the line that says it.
   */
  logged?: RegExp
  /**
   * The processes of the job get SIGKILL at once and nothing of it reports any more. The job is marked as failed so many
   * milliseconds later: 0 for a runner that dies in sight, more for one whose heartbeat is waited for.
   */
  failsAfterMs: number
  times?: number
}

export type WorkflowFault = {
  kind: 'workflow'
  /** .github/workflows/x.yml; any without. */
  path?: string
  /** `swallowed`: a dispatch is answered well and no run comes of it. `never-picked-up`: the run stays queued. */
  effect: 'swallowed' | 'never-picked-up' | 'startup_failure'
  times?: number
}

export type Fault = WebhookFault | RequestFault | DownFault | RunnerFault | WorkflowFault

/*
 * What a test or a demo can make go wrong. Each fault strikes what it matches: the next `times` of them, or as long as the
 * fault is active if `times` is left out. Of several that match, the one added first strikes.
 */

export type WebhookFault = {
  kind: 'webhook'
  /** Left out: any. */
  event?: string
  action?: string
  where?: (payload: Record<string, unknown>) => boolean
  /**
   * `lose`: on record as a failed delivery that never arrived; `vanish`: not even on record; `double`: delivered twice under
   * one GUID; `delayMs`: delayed by so much, so others overtake it; `behind`: after the next n deliveries, or once
   * deliveriesSettled() is called.
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
  /** Answered, after this delay. */
  | { slowMs: number }
  /** The connection ends without an answer; `hang`: no answer for as long as the fault is active, then the connection ends. */
  | 'drop-before'
  | 'hang-before'
  /** The same, but the request is carried out: a workflow is dispatched all the same. */
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
   * Strikes once the job's log matches; by default at its first output. The log shows each script before it runs: `/^text/m`
   * matches the script's output, not the line that prints it.
   */
  logged?: RegExp
  /**
   * The processes of the job get SIGKILL at once and none of them reports any more. The job is marked as failed so many
   * milliseconds later: 0 for a runner seen to die, more for one whose heartbeat is awaited.
   */
  failsAfterMs: number
  times?: number
}

export type WorkflowFault = {
  kind: 'workflow'
  /** .github/workflows/x.yml; any without. */
  path?: string
  /** `swallowed`: a dispatch is answered with success, but no run follows. `never-picked-up`: the run stays queued. */
  effect: 'swallowed' | 'never-picked-up' | 'startup_failure'
  times?: number
}

export type Fault = WebhookFault | RequestFault | DownFault | RunnerFault | WorkflowFault

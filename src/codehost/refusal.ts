import { Problem } from '#errors.ts'

/**
 * The code host answered, and the answer is no: a missing permission, a suspended installation, an invalid request.
 * `hostStatus` is its HTTP status; 403 if the installation gives no token at all. `hostMessage` is the host's own sentence,
 * shown where the act in progress is plain. Asking again changes nothing until somebody changes something there. To a caller
 * of the API a 403 is `forbidden`: the app may not do what the call needs.
 */
export class Refusal extends Problem {
  readonly hostStatus: number
  readonly hostMessage: string

  constructor(message: string, hostStatus: number, cause?: unknown, hostMessage = message) {
    super(hostStatus === 403 ? 'forbidden' : 'unavailable', message, { cause })
    this.name = 'Refusal'
    this.hostStatus = hostStatus
    this.hostMessage = hostMessage
  }
}

/** The installation is suspended, gone or forbidden to us: an answer about it, and not about the thing that was asked for. */
export class NoToken extends Refusal {}

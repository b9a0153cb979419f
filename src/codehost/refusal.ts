/**
 * The code host answered and the answer is no: a missing permission, a suspended installation, an invalid request.
 * `status` is its HTTP status; 403 where the installation gives no token at all. Asking again changes nothing until
 * somebody changes something there.
 */
export class Refusal extends Error {
  readonly status: number

  constructor(message: string, status: number, cause?: unknown) {
    super(message, { cause })
    this.name = 'Refusal'
    this.status = status
  }
}

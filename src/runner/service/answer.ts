import type { z } from 'zod'
import { ErrorBody } from '#api/error-body.ts'
import { type ErrorCode, Problem } from '#errors.ts'

/** An answer of the service, read whole. */
export type Answer = { status: number; text: string; location: string | undefined; requestId: string | undefined }

const codeOf: Readonly<Record<number, ErrorCode>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  423: 'locked',
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The problem in an answer that is not a success; `what` names the request. Only a 5xx is worth another attempt. */
export const problemOf = (what: string, { status, text, location, requestId }: Answer): Problem => {
  const body = ErrorBody.safeParse(parsed(text))
  const request = status >= 500 && requestId !== undefined ? ` (request ${requestId})` : ''
  if (body.success) {
    const { code, message, details } = body.data
    const said = `${what}: the service answered ${status} ${code}: ${message}${request}`
    return new Problem(code, said, { status, ...(details === undefined ? {} : { details }) })
  }
  if (status >= 300 && status < 400) {
    const to = location === undefined ? '' : ` to ${location}`
    return new Problem('invalid', `${what}: the service redirects${to}: SVC_URL must be its own address`, { status })
  }
  const code = status >= 500 ? 'unavailable' : (codeOf[status] ?? 'invalid')
  const start = text.trim().slice(0, 200)
  const said = start === '' ? '' : `: ${start}`
  return new Problem(code, `${what}: answered ${status}, not as the service does${said}${request}`, { status })
}

/** The body of a success, checked against its contract; fields that the contract does not know are left out. */
export const contentOf = <S extends z.ZodType>(what: string, schema: S, { text }: Answer): z.output<S> => {
  const checked = schema.safeParse(parsed(text))
  if (checked.success) return checked.data
  const issue = checked.error.issues[0]
  const field = issue === undefined || issue.path.length === 0 ? 'the body' : issue.path.join('.')
  throw new Problem(
    'invalid',
    `${what}: the answer is not what this version of svc knows (${field}: ${issue?.message ?? 'unreadable'}): is SVC_URL the service's address, and is the service newer than the client?`,
  )
}

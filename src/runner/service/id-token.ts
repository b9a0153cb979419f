import { z } from 'zod'
import { Problem } from '#errors.ts'

export type TokenRequest = { url: string; token: string }

const Answer = z.object({ value: z.string().min(1) })

/**
 * Asks the code host for an OIDC token of this job. Each token is new, since the service accepts none twice. A 5xx is
 * `unavailable` and is tried again; any other failure is final.
 * Source: docs.github.com, 'OpenID Connect reference', Methods for requesting the OIDC token.
 */
export const requestIdToken = async (
  { url, token }: TokenRequest,
  audience: string,
  signal: AbortSignal,
): Promise<string> => {
  const address = `${url}${url.includes('?') ? '&' : '?'}audience=${encodeURIComponent(audience)}`
  const response = await fetch(address, {
    headers: { authorization: `bearer ${token}`, accept: 'application/json' },
    signal,
  })
  const text = await response.text()
  if (!response.ok) {
    const code = response.status >= 500 ? 'unavailable' : 'unauthorized'
    throw new Problem(code, `the code host answered ${response.status} when asked for the job's OIDC token`)
  }
  const answer = Answer.safeParse(parsed(text))
  if (!answer.success) throw new Problem('unavailable', "the code host's answer holds no OIDC token")
  return answer.data.value
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

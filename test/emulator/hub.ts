import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { SignJWT } from 'jose'
import type { Test } from 'tap'
import { type Emulator, type EmulatorOptions, startEmulator } from '#emulator/emulator.ts'

export type Response = { status: number; headers: Headers; body: unknown; text: string }
export type Ask = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Response>

/** One for all hubs of a file: making a key takes longer than everything else a hub needs. */
const privateKey = generateKeyPairSync('rsa', { modulusLength: 2048 })
  .privateKey.export({ type: 'pkcs1', format: 'pem' })
  .toString()

/** An emulator for one test, closed with it. */
export const hubFor = async (t: Test, options: Partial<EmulatorOptions> = {}): Promise<Emulator> => {
  const hub = await startEmulator({
    dataDir: t.testdir({}),
    ...options,
    app: { privateKey, ...options.app },
  })
  t.teardown(() => hub.close())
  return hub
}

/** Sends requests with one credential; `undefined`: none. */
export const asking =
  (hub: Emulator, token: string | undefined): Ask =>
  async (method, path, body, headers = {}) => {
    const response = await fetch(path.startsWith('http') ? path : `${hub.url}${path}`, {
      method,
      headers: { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const json = response.headers.get('content-type')?.startsWith('application/json')
    return { status: response.status, headers: response.headers, text, body: json ? JSON.parse(text) : undefined }
  }

/** The app's JWT as GitHub's documentation makes it; given claims replace the usual ones. */
export const appJwt = (hub: Emulator, claims: Record<string, unknown> = {}, now = Date.now()): Promise<string> => {
  const seconds = Math.floor(now / 1000)
  return new SignJWT({ iat: seconds - 60, exp: seconds + 540, iss: hub.app.clientId, ...claims })
    .setProtectedHeader({ alg: 'RS256' })
    .sign(createPrivateKey(hub.app.privateKey))
}

export const asApp = async (hub: Emulator): Promise<Ask> => asking(hub, await appJwt(hub))

/** Asks with a new installation token, narrowed by `scope`. */
export const asInstallation = async (hub: Emulator, id: number, scope?: unknown): Promise<Ask> => {
  const app = await asApp(hub)
  const { body } = await app('POST', `/app/installations/${id}/access_tokens`, scope)
  return asking(hub, (body as { token: string }).token)
}

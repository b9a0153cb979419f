import type { Whoami } from '#api/whoami.ts'
import { basePath } from './base.ts'
import { askingMs, getJson, pathOf, postJson } from './client.ts'

export type { Whoami }

/** Who is signed in. */
export const readMe = (signal?: AbortSignal): Promise<Whoami> => getJson(pathOf('me'), signal)

/** Where signing in begins: at the service, which sends on to the code host and back to `next`. */
export const signInAddress = (next: string): string => `${basePath}/auth/login?next=${encodeURIComponent(next)}`

/** Ends the session. Twice does no harm, so it is tried again rather than waited for. */
export const signOut = (): Promise<void> => postJson('/auth/logout', undefined, askingMs)

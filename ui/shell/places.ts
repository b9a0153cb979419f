import type { Whoami } from '../api/me.ts'

/** The pages that the bar leads to, with the key after `g` that opens them. A page is listed once it is there. */
const places = [
  { name: 'Overview', to: '/', key: 'o' },
  { name: 'Runs', to: '/runs', key: 'u' },
  { name: 'Repositories', to: '/repos', key: 'r' },
  { name: 'Stacks', to: '/stacks', key: 's' },
  { name: 'Locks', to: '/locks', key: 'l' },
  { name: 'Drift', to: '/drift', key: 'd' },
  { name: 'Modules', to: '/modules', key: 'm' },
  { name: 'Audit', to: '/audit', key: 'a' },
] as const

const withQueue = [...places, { name: 'Queue', to: '/queue', key: 'q' }] as const

/** Those that are open to who is signed in: the queue is for administrators. */
export const placesOf = (me: Whoami | undefined): readonly (typeof withQueue)[number][] =>
  me?.admin ? withQueue : places

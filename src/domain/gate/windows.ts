import { clockText } from '../calendar/time-zone.ts'
import { type WindowState, windowState, windowsInTheWay } from '../calendar/windows.ts'
import type { ApplyPolicy, Membership } from './facts.ts'
import { isMember, teamOf } from './people.ts'
import type { GateFailure, LayerReport } from './verdict.ts'

export type ApplyWindow = ApplyPolicy['windows'][number]

type Placed = ApplyWindow & { place: number }

/** Who asks, as far as windows except them. Nobody is excepted who is not known. */
export type Asker = { owner: string; requester?: string | undefined; memberships: readonly Membership[] }

/** Whether windows keep somebody from applying: those in the way, and when the next time is that none is. */
export type Kept = { windows: Placed[]; opensAt?: Date; unclear: string[] }

/** The teams of windows that are in the way at a time: only their members need be looked up. */
export const exceptedTeams = (windows: readonly ApplyWindow[], owner: string, at: Date): string[] => {
  const named = windowsInTheWay(windows, at).flatMap((place) => windows[place]?.except_teams ?? [])
  return [...new Set(named.map((slug) => teamOf(owner, slug)))]
}

/**
 * Which windows keep a wave of an apply that is under way (`hold: waves`): each of `deny` that says so, and all of `allow` if one of
 * them does, since to be inside of any is enough.
 */
export const keepsWaves = (windows: readonly ApplyWindow[]): ((window: ApplyWindow) => boolean) => {
  const holds = ({ hold }: ApplyWindow): boolean => hold === 'waves'
  const allowsHold = windows.some((one) => one.allow !== undefined && holds(one))
  return (window) => holds(window) || (window.allow !== undefined && allowsHold)
}

const memberOf = ({ owner, requester, memberships }: Asker, { except_teams: slugs }: ApplyWindow): boolean | null => {
  if (requester === undefined || slugs.length === 0) return false
  const answers = slugs.map((slug) => isMember(memberships, teamOf(owner, slug), requester))
  return answers.includes(true) ? true : answers.includes(null) ? null : false
}

/**
 * The windows that keep somebody from applying at a time; undefined if none does. A window does not count for members of its
 * `except_teams`; where one of `allow` is theirs, none of `allow` does. A membership that could not be read is none.
 */
export const keptBy = (
  windows: readonly ApplyWindow[],
  asker: Asker,
  at: Date,
  counts: (window: ApplyWindow) => boolean = () => true,
): Kept | undefined => {
  const placed = windows.map((one, place) => ({ ...one, place })).filter(counts)
  const isFree = placed.some((one) => one.allow !== undefined && memberOf(asker, one) === true)
  const binding = placed.filter((one) => (one.allow === undefined ? memberOf(asker, one) !== true : !isFree))
  const state: WindowState = windowState(binding, at)
  if (state.open) return undefined
  const inTheWay = state.places.flatMap((place) => binding[place] ?? [])
  const unclear = inTheWay.filter((one) => memberOf(asker, one) === null).flatMap((one) => one.except_teams)
  return {
    windows: inTheWay,
    unclear: [...new Set(unclear.map((slug) => teamOf(asker.owner, slug)))],
    ...(state.opensAt === undefined ? {} : { opensAt: state.opensAt }),
  }
}

/** When what was refused may begin, where windows alone are in the way and it only has to wait for them. */
export const opensLater = ({
  failures,
  layers,
}: {
  failures: readonly GateFailure[]
  layers: readonly LayerReport[]
}): Date | undefined => {
  if (failures.length === 0 || failures.some(({ layer }) => layer !== 'window')) return undefined
  const opens = layers.flatMap(({ layer, evidence }) => (layer === 'window' ? evidence : []))
  const at = opens.find(({ opens_at }) => opens_at !== undefined)?.opens_at
  return at === undefined ? undefined : new Date(at)
}

const clause = ({ allow, deny, time_zone: zone, place, reason }: Placed): string => {
  const says = deny === undefined ? `applies begin only at ${allow}` : `no apply begins at ${deny}`
  return `${says} (${zone}), by apply.windows[${place}]${reason === undefined ? '' : `: ${reason}`}`
}

const shown = 3

/** `no apply begins at * * * * fri (UTC), by apply.windows[0]: nobody is there`. */
export const keptText = ({ windows }: Pick<Kept, 'windows'>): string => {
  const more = windows.length - shown
  return windows.slice(0, shown).map(clause).join('; ') + (more > 0 ? ` and ${more} more` : '')
}

/** When that ends, by the clock of the first window in the way: people read their own clock. */
export const opensText = ({ opensAt, windows }: Kept): string | undefined =>
  opensAt === undefined ? undefined : clockText(+opensAt, windows[0]?.time_zone ?? 'UTC')

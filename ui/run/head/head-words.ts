import type { RunHead } from '../../live/run-store.ts'
import { capital, listed } from '../../parts/words.ts'
import { looks, runLook, type StatusLook } from '../../status/table.ts'
import { runName } from '../run-name.ts'
import type { Phase } from '../state/phase.ts'
import type { Tally } from '../state/tally.ts'

/** `Apply of #42: Move the storefront to Postgres 16`. */
export const runTitle = (run: RunHead): string =>
  run.pr_title === undefined ? runName(run) : `${runName(run)}: ${run.pr_title}`

/** The status of the run. A check for drift that is over says what it found. */
export const headLook = ({ mode, status }: RunHead, { counts }: Tally): StatusLook => {
  if (mode !== 'drift' || status !== 'planned') return runLook(status)
  return counts.planned ? looks.drifted : { ...looks.stack.noop, word: 'no drift' }
}

/** `Applying, wave 2 of 3, draining`. */
export const statusWords = (run: RunHead, tally: Tally, phase: Phase): string => {
  const { word } = headLook(run, tally)
  const wave = phase.wave === undefined ? '' : `, wave ${phase.wave + 1} of ${run.waves}`
  const drains = { failure: ', draining', 'newer commit': ', ending for a newer commit' }
  return capital(`${word}${wave}${phase.drains === undefined ? '' : drains[phase.drains]}`)
}

/**
 * What is left of an apply that sends nothing out any more: 'The run ends when platform/cluster does; wave 3 does not start.' Undefined for
 * all others.
 */
export const endsWhen = (run: RunHead, { waves }: Tally, phase: Phase): string | undefined => {
  if (phase.drains === undefined || phase.wave === undefined) return undefined
  const running = waves.flatMap(({ rows }) => rows.filter(({ status }) => status === 'applying')).map(({ key }) => key)
  const ends =
    running.length === 0
      ? 'The run ends'
      : `The run ends when ${listed(running)} ${running.length === 1 ? 'does' : 'do'}`
  const left = waves.filter(({ wave }) => wave > run.current_wave).map(({ wave }) => String(wave + 1))
  if (left.length === 0) return `${ends}.`
  return `${ends}; ${left.length === 1 ? `wave ${left[0]} does` : `waves ${listed(left)} do`} not start.`
}

/** Who or what began it; the time follows. */
export const begunBy = ({ trigger, requested_by: who, mode, merge_group }: RunHead): string => {
  const somebody = who ?? 'somebody'
  switch (trigger) {
    case 'comment':
      return `${somebody} asked for it in a comment`
    case 'rerequest':
      return `${somebody} asked for it again`
    case 'manual':
      return `${somebody} started it`
    case 'schedule':
      return 'begun by the schedule'
    case 'push':
      return mode === 'apply' ? 'begun by the merge' : 'begun by a push'
    case 'pull_request':
      return merge_group === undefined
        ? 'begun by the pull request'
        : `begun by the merge queue of ${merge_group.base_ref}`
  }
}

/** What became of the rows of a run that is long over. */
export const whereKept = ({ archived, thinned }: Pick<RunHead, 'archived' | 'thinned'>): string | undefined => {
  if (archived) return 'This run is archived: what it did was brought back from the bucket.'
  return thinned
    ? 'This check found no drift. A day later nothing of it is kept but the history of its stacks.'
    : undefined
}

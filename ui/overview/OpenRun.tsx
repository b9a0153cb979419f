import { Link } from '@tanstack/react-router'
import type { Run } from '../api/runs.ts'
import { StatusBar } from '../parts/StatusBar.tsx'
import { Duration } from '../parts/text/Time.tsx'
import { runName } from '../run/run-name.ts'
import { Status } from '../status/Status.tsx'
import { runLook, stackLook, stackStatuses } from '../status/table.ts'
import { isNow, sizeOf, wavesOf, waveWords } from './wave-words.ts'
import './open-run.css'

/** From so many waves on, what is said below their bars has no room. */
const mostWords = 6

/** A run under way: what it is, since when, and how far each of its waves is. */
export const OpenRun = ({ run }: { run: Run }) => {
  const waves = wavesOf(run)
  const { pr_title: title, requested_by: who } = run
  return (
    <li className="open-run">
      <div className="open-run-head">
        <Status look={runLook(run.status, run.mode)} />
        <span className="open-run-name">
          <Link to="/runs/$id" params={{ id: run.id }}>
            {runName(run)}
          </Link>{' '}
          <span className="quiet">{run.repo}</span>
        </span>
        <span className="quiet small">
          <Duration from={run.started_at ?? run.created_at} />
        </span>
      </div>
      {(title ?? who) !== undefined && (
        <p className="open-run-about quiet small">
          <bdi>{title}</bdi>
          {title !== undefined && who !== undefined && ' · '}
          {who}
        </p>
      )}
      <ol className="open-run-waves">
        {waves.map((wave) => (
          <li key={wave.wave} style={{ flexGrow: sizeOf(wave) }} data-now={isNow(run, wave) || undefined}>
            <StatusBar
              parts={stackStatuses.map((status) => ({
                look: stackLook(status, run.mode),
                count: wave.counts[status] ?? 0,
              }))}
            />
            {(waves.length <= mostWords || isNow(run, wave)) && (
              <span className="open-run-wave small">{waveWords(run, wave)}</span>
            )}
          </li>
        ))}
      </ol>
    </li>
  )
}

import type { RunRow } from '../../api/run-types.ts'
import type { RunHead } from '../../live/run-store.ts'
import { stackLook } from '../../status/table.ts'
import type { Tally } from '../state/tally.ts'
import { runTitle } from './head-words.ts'

const plain = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

const planOf = ({ summary }: RunRow): string =>
  summary === undefined
    ? ''
    : `+${summary.adds} ~${summary.changes} -${summary.destroys}${summary.replaces > 0 ? ` ±${summary.replaces}` : ''}`

const linked = ({ job_url: job }: RunRow): string => (job === undefined ? '' : `[job](${job})`)

const timesOf = ({ created_at, started_at, finished_at }: RunHead): string =>
  [
    `asked for ${created_at}`,
    ...(started_at === undefined ? [] : [`began ${started_at}`]),
    ...(finished_at === undefined ? [] : [`ended ${finished_at}`]),
  ].join(', ')

/** A run as Markdown, for the notes of an incident: what it is, its times in UTC, what needs somebody, and its stacks wave by wave. */
export const runMarkdown = (run: RunHead, { waves }: Tally): string => {
  const { repo, mode, status, sha, requested_by: by, html_url: address, attention = [] } = run
  const rows = waves.flatMap(({ wave, rows: some }) =>
    some
      .toSorted((a, b) => (a.key < b.key ? -1 : 1))
      .map(
        (row) =>
          `| ${wave + 1} | \`${plain(row.key)}\` | ${stackLook(row.status, mode).word} | ${planOf(row)} | ${linked(row)} |`,
      ),
  )
  return [
    `**[${plain(runTitle(run))}](${address})** in ${repo}: ${status}`,
    '',
    `Commit \`${sha.slice(0, 8)}\`${by === undefined ? '' : `, by ${by}`}; ${timesOf(run)}.`,
    ...(attention.length === 0 ? [] : ['', ...attention.map(({ text }) => `- ${plain(text)}`)]),
    ...(rows.length === 0 ? [] : ['', '| wave | stack | status | plan | |', '|---|---|---|---|---|', ...rows]),
    '',
  ].join('\n')
}

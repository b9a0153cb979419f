import { type Ladder, matrixOf } from './ladder.ts'

type Chosen = { repo?: string | undefined; at?: string | undefined }

type MatrixProps = { ladder: Ladder; chosen: Chosen; choose: (next: Chosen) => void }

/** More columns nobody compares. */
const mostVersions = 12

/** Repositories by versions: each number leads to its stacks. */
export const Matrix = ({ ladder, chosen, choose }: MatrixProps) => {
  const { versions, rows } = matrixOf(ladder)
  const shown = versions.slice(0, mostVersions)
  const older = versions.length - shown.length
  const hasWithout = ladder.without.length > 0
  return (
    <section className="box" aria-labelledby="matrix">
      <h2 id="matrix">By repository</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by the keyboard */}
      <section className="matrix-frame" aria-label="Repositories by versions" tabIndex={0}>
        <table className="matrix">
          <thead>
            <tr>
              <th scope="col">Repository</th>
              {shown.map((version) => (
                <th key={version} scope="col">
                  <code>{version.slice(version.lastIndexOf('/') + 1)}</code>
                </th>
              ))}
              {older > 0 && <th scope="col">{older} older</th>}
              {hasWithout && <th scope="col">no version</th>}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ repo, counts, without }) => (
              <tr key={repo}>
                <th scope="row">{repo}</th>
                {shown.map((version, at) => (
                  <td key={version}>
                    <Cell count={counts[at] ?? 0} {...{ repo, at: version, chosen, choose }} />
                  </td>
                ))}
                {older > 0 && (
                  <td className="quiet">{counts.slice(mostVersions).reduce((sum, one) => sum + one, 0) || '·'}</td>
                )}
                {hasWithout && (
                  <td>
                    <Cell count={without} {...{ repo, at: 'none', chosen, choose }} />
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  )
}

type CellProps = Omit<MatrixProps, 'ladder'> & { count: number; repo: string; at: string }

const Cell = ({ count, repo, at, chosen, choose }: CellProps) => {
  if (count === 0) {
    return (
      <span className="quiet">
        <span aria-hidden="true">·</span>
        <span className="unseen">none</span>
      </span>
    )
  }
  const isOn = chosen.repo === repo && chosen.at === at
  return (
    <button
      type="button"
      className="matrix-cell"
      aria-pressed={isOn}
      aria-label={`${count} of ${repo} at ${at === 'none' ? 'no version' : at}`}
      onClick={() => choose(isOn ? { repo: undefined, at: undefined } : { repo, at })}
    >
      {count}
    </button>
  )
}

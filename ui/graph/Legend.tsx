/** What the lines mean. */
export const Legend = ({ isChosen }: { isChosen: boolean }) => (
  <ul className="graph-legend small quiet">
    {isChosen ? (
      <>
        <li>
          <span className="graph-line" data-line="needs" aria-hidden="true" /> what the chosen stack needs
        </li>
        <li>
          <span className="graph-line" data-line="needed" aria-hidden="true" /> what needs it
        </li>
        <li>
          <span className="graph-line" data-line="further" aria-hidden="true" /> further on
        </li>
        <li>Lines of others are not drawn.</li>
      </>
    ) : (
      <li>
        Waves go from left to right: what a stack needs is in a wave before its own. Choose a stack to see its lines;
        from far off some of all lines are drawn.
      </li>
    )}
  </ul>
)

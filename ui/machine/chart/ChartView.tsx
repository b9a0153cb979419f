import { useEffect, useRef } from 'react'
import { type Chart, type Edge, shortName } from './chart.ts'
import type { How, Standing } from './standing.ts'
import './chart.css'

const order: How[] = ['idle', 'seen', 'open']

/** A machine's chart: its state filled, those before it solid, those that may be next dashed, with the events that lead there. */
export const ChartView = ({ chart, standing }: { chart: Chart; standing: Standing }) => (
  <section
    ref={useInView(chart, standing.present)}
    className="statechart-frame"
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    tabIndex={0}
    aria-label="Chart of its states"
  >
    <svg
      className="statechart"
      viewBox={`0 0 ${chart.width} ${chart.height}`}
      role="img"
      aria-label={wordsOf(chart, standing)}
    >
      {chart.groups.map(({ name, x, y, width, height }) => (
        <g key={name} className="statechart-group">
          <rect x={x} y={y} width={width} height={height} rx="10" />
        </g>
      ))}
      {order.flatMap((how) =>
        chart.edges
          .filter((edge) => standing.edge(edge) === how)
          .map((edge) => <Arrow key={`${edge.from} ${edge.to}`} edge={edge} how={how} />),
      )}
      {chart.groups.map(({ name, x, y }) => (
        <g key={name} className="statechart-group">
          <text x={x + 12} y={y + 18}>
            {shortName(name)}
          </text>
        </g>
      ))}
      {chart.states.map((state) => (
        <State key={state.name} state={state} standing={standing} />
      ))}
    </svg>
  </section>
)

/** Where there is too little room for all of it, the present state is what is seen. */
const useInView = (chart: Chart, present: string) => {
  const frame = useRef<HTMLElement>(null)
  useEffect(() => {
    const box = chart.states.find(({ name }) => name === present)
    if (!frame.current || !box) return
    const { scrollWidth, clientWidth } = frame.current
    frame.current.scrollLeft = ((box.x + box.width / 2) / chart.width) * scrollWidth - clientWidth / 2
  }, [chart, present])
  return frame
}

const wordsOf = (chart: Chart, standing: Standing): string => {
  const named = (how: How): string =>
    chart.states
      .filter(({ name }) => standing.state(name) === how)
      .map(({ name }) => shortName(name))
      .join(', ')
  const [seen, open] = [named('seen'), named('open')]
  return `It is ${standing.present}.${seen && ` It was ${seen}.`}${open && ` Next it may be ${open}.`}`
}

const Arrow = ({ edge, how }: { edge: Edge; how: How }) => (
  <g className="statechart-edge" data-how={how}>
    <path className="statechart-line" d={edge.line} />
    <path className="statechart-head" d={edge.head} />
  </g>
)

const State = ({ state, standing }: { state: Chart['states'][number]; standing: Standing }) => {
  const { name, x, y, width, height, final } = state
  const events = standing.leadsTo(name)
  const middle = x + width / 2
  return (
    <g className="statechart-state" data-how={standing.state(name)}>
      <rect x={x} y={y} width={width} height={height} rx="8" />
      {final && <rect className="statechart-final" x={x + 3} y={y + 3} width={width - 6} height={height - 6} rx="6" />}
      <text x={middle} y={y + (events.length > 0 ? 20 : 28)}>
        {shortName(name)}
      </text>
      {events.length > 0 && (
        <text className="statechart-events" x={middle} y={y + 36}>
          {events.length > 1 ? `${events[0]} +${events.length - 1}` : events[0]}
        </text>
      )}
    </g>
  )
}

import { Link } from '@tanstack/react-router'
import { Panel, PanelPart } from '../parts/overlay/Panel.tsx'
import { Copy } from '../parts/text/Copy.tsx'
import { Key } from '../parts/text/Key.tsx'
import { listed, many } from '../parts/words.ts'
import { stackLink } from '../repository/stack-link.ts'
import { type Standing, standingLook, standingWord } from '../repository/stacks/standing.ts'
import { Status, StatusIconOf } from '../status/Status.tsx'
import { edgeWords, grouped } from './edge-words.ts'
import type { Reach } from './ends.ts'
import { type Neighbours, reachOf } from './ends.ts'
import type { Scene } from './scene.ts'
import './graph-panel.css'

type GraphPanelProps = {
  repository: string
  scene: Scene
  neighbours: Neighbours
  stack: number
  select: (stack: number | undefined) => void
}

/** What is known of the chosen stack's place in the graph: what it needs, what needs it, and why. */
export const GraphPanel = ({ repository, scene, neighbours, stack, select }: GraphPanelProps) => {
  const { graph, layers, standings } = scene
  const key = graph.keys[stack] ?? ''
  const standing = standings[stack] ?? 'new'
  const look = standingLook(standing)
  const wave = layers.lanes[layers.laneOf[stack] ?? -1]?.wave ?? 0
  const ends = { ...{ graph, standings, select }, all: grouped(neighbours.needs.of(stack)) }
  const modules = ends.all.filter(([other]) => other >= graph.stacks)
  const needs = ends.all.filter(([other]) => other < graph.stacks)
  const neededBy = grouped(neighbours.neededBy.of(stack)).filter(([other]) => other < graph.stacks)
  return (
    <Panel title={<Key of={key} />} onClose={() => select(undefined)} isInPage>
      <p className="graph-facts">
        {look ? <Status look={look} /> : <span className="quiet">{standingWord(standing)}</span>}
        <span className="quiet">wave {wave + 1}</span>
        {tagsOf(graph, stack).map((tag) => (
          <span key={tag} className="quiet">
            tag:{tag}
          </span>
        ))}
      </p>
      <PanelPart heading={needs.length === 0 ? 'It needs nothing' : `It needs ${needs.length}`}>
        <EndList {...ends} all={needs} />
        <More {...{ scene, neighbours, stack, reach: 'needs' }} />
      </PanelPart>
      <PanelPart
        heading={
          neededBy.length === 0
            ? 'Nothing needs it'
            : `${neededBy.length} ${neededBy.length === 1 ? 'needs' : 'need'} it`
        }
      >
        <EndList {...ends} all={neededBy} />
        <More {...{ scene, neighbours, stack, reach: 'needed' }} />
      </PanelPart>
      {modules.length > 0 && (
        <PanelPart heading={`It uses ${many(modules.length, 'module')}`}>
          <p className="quiet">
            {listed(
              modules.map(([module]) => graph.keys[module] ?? ''),
              8,
            )}
          </p>
        </PanelPart>
      )}
      <div className="panel-part graph-deeds">
        <Link {...stackLink(repository, key)} className="button button-small">
          Open the stack
        </Link>
        <Copy text={location.href} what="the link" label="Copy link" />
      </div>
    </Panel>
  )
}

/** Of a stack, sorted. */
const tagsOf = ({ tags = {} }: Scene['graph'], stack: number): string[] =>
  Object.keys(tags)
    .filter((tag) => tags[tag]?.includes(stack))
    .sort()

type EndListProps = Pick<Scene, 'graph' | 'standings'> & {
  all: readonly [other: number, kinds: number[]][]
  select: (stack: number) => void
}

/** More than these nobody reads beside a graph. */
const most = 40

const EndList = ({ graph, standings, all, select }: EndListProps) => (
  <>
    <ul className="graph-ends">
      {all.slice(0, most).map(([other, kinds]) => (
        <li key={other}>
          <StandingIcon of={standings[other] ?? 'new'} />
          {graph.external.includes(other) ? (
            <span>
              <Key of={graph.keys[other] ?? ''} /> <span className="quiet small">of another repository</span>
            </span>
          ) : (
            <button type="button" className="graph-end" onClick={() => select(other)}>
              <Key of={graph.keys[other] ?? ''} />
            </button>
          )}
          <span className="quiet small">{edgeWords(graph, kinds)}</span>
        </li>
      ))}
    </ul>
    {all.length > most && <p className="quiet small">and {all.length - most} more, in the table</p>}
  </>
)

const StandingIcon = ({ of }: { of: Standing }) => {
  const look = standingLook(of)
  return look ? <StatusIconOf look={look} title={look.word} /> : <span className="graph-new" />
}

type MoreProps = Pick<GraphPanelProps, 'scene' | 'neighbours' | 'stack'> & { reach: Exclude<Reach, 'next'> }

/** What is further on, by way of what is next to it. */
const More = ({ scene: { graph }, neighbours, stack, reach }: MoreProps) => {
  const isStack = (node: number): boolean => node < graph.stacks
  const far = [...reachOf(neighbours, stack, reach).nodes].filter(isStack)
  const next = new Set(neighbours[reach === 'needs' ? 'needs' : 'neededBy'].of(stack).map(([other]) => other))
  const more = far.filter((node) => !next.has(node))
  if (more.length === 0) return null
  return (
    <p className="quiet small">
      {more.length} more by way of {far.length - more.length === 1 ? 'it' : 'them'}:{' '}
      {listed(more.map((node) => graph.keys[node] ?? ''))}.
    </p>
  )
}

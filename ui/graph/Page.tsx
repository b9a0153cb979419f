import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type CompactAnswer, readGraph } from '../api/graph.ts'
import { readStacks } from '../api/repositories.ts'
import { whyUnanswered } from '../live/failures.ts'
import { afterFailure } from '../live/query-client.ts'
import { useLive } from '../live/useLive.ts'
import { Empty } from '../parts/feedback/Empty.tsx'
import { Problem } from '../parts/feedback/Problem.tsx'
import { Skeleton } from '../parts/feedback/Skeleton.tsx'
import { GraphOfStacks } from './GraphOfStacks.tsx'
import { useLayers } from './useLayers.ts'

const route = getRouteApi('/repos/$owner/$repo/graph')

/** It changes with the default branch, and is up to 5 MB. */
const everyMs = 300_000

/** The graph of a repository: its stacks in waves, and what needs what. */
export const RepositoryGraphTab = () => {
  const { owner, repo } = route.useParams()
  return <RepositoryGraph key={`${owner}/${repo}`} owner={owner} repo={repo} />
}

const RepositoryGraph = ({ owner, repo }: { owner: string; repo: string }) => {
  const key = ['graph', owner, repo]
  const { data, refetch } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => readGraph(owner, repo, signal),
    staleTime: 30_000,
    refetchInterval: (query) => afterFailure(query) || everyMs,
    notifyOnChangeProps: ['data', 'error'],
    structuralSharing: (before, next) => unchanged(before as CompactAnswer | undefined, next as CompactAnswer),
  })
  const stacks = useLive({
    key: ['stacks', owner, repo],
    read: (signal) => readStacks(owner, repo, signal),
    pace: 'over',
  })
  const laid = useLayers(data?.body.graph)
  const problem = whyUnanswered(key, data)
  if (problem) {
    if (problem.code === 'not_found') {
      return <Empty why="No graph is recorded yet. The first is, once a pull request’s job has uploaded it." />
    }
    return <Problem problem={problem} what="Reading the graph did not work" tryAgain={() => void refetch()} />
  }
  if (!laid) return <Skeleton lines={8} />
  if (laid.layers.waves.length === 0) return <Empty why="The graph of the default branch has no stack." />
  return (
    <GraphOfStacks
      {...laid}
      repository={`${owner}/${repo}`}
      stacks={stacks.data?.items}
      isPart={stacks.data?.next_cursor !== undefined}
    />
  )
}

/** The graph that is drawn stays the very same where nothing has changed, and with it the view of it. */
const unchanged = (before: CompactAnswer | undefined, next: CompactAnswer): CompactAnswer =>
  before?.text === next.text ? before : next

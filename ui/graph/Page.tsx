import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { asProblem } from '../api/errors.ts'
import { readGraph } from '../api/graph.ts'
import { readStacks } from '../api/repositories.ts'
import { useLive } from '../live/useLive.ts'
import { Empty } from '../parts/feedback/Empty.tsx'
import { Problem } from '../parts/feedback/Problem.tsx'
import { Skeleton } from '../parts/feedback/Skeleton.tsx'
import { GraphOfStacks } from './GraphOfStacks.tsx'
import { useLayers } from './useLayers.ts'

const route = getRouteApi('/repos/$owner/$repo/graph')

/** The graph of a repository: its stacks in waves, and what needs what. */
export const RepositoryGraphTab = () => {
  const { owner, repo } = route.useParams()
  const { data, error, refetch } = useQuery({
    queryKey: ['graph', owner, repo],
    queryFn: ({ signal }) => readGraph(owner, repo, signal),
    staleTime: 30_000,
    // it has no time of its own: looking for what has changed in 5 MB would take as long as drawing it
    structuralSharing: false,
  })
  const stacks = useLive({
    key: ['stacks', owner, repo],
    read: (signal) => readStacks(owner, repo, signal),
    pace: 'over',
  })
  const graph = data?.graph
  const layers = useLayers(graph)
  if (error && !data) {
    const problem = asProblem(error)
    if (problem.code === 'not_found') {
      return <Empty why="No graph is recorded yet. The first is, once a pull request’s job has uploaded it." />
    }
    return <Problem problem={problem} what="Reading the graph did not work" tryAgain={() => void refetch()} />
  }
  if (!graph || !layers) return <Skeleton lines={8} />
  if (layers.waves.length === 0) return <Empty why="The graph of the default branch has no stack." />
  return (
    <GraphOfStacks
      {...{ graph, layers }}
      repository={`${owner}/${repo}`}
      stacks={stacks.data?.items}
      isPart={stacks.data?.next_cursor !== undefined}
    />
  )
}

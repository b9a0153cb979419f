import { useState } from 'react'
import type { ApiProblem } from '../../api/errors.ts'
import type { Page } from '../../api/page.ts'
import { readStacks, type StackDetail } from '../../api/repositories.ts'
import { useLive } from '../../live/useLive.ts'

/** Larger repositories are read less often: 2,000 stacks are some megabytes before they are compressed. */
const largeFrom = 500

type Stacks = {
  /** Undefined before there is any. */
  page: Page<StackDetail> | undefined
  /** More of them are on their way. */
  isReading: boolean
  problem: ApiProblem | undefined
  tryNow(): void
}

/** The stacks of a repository. The first of many are there at once: 5,000 take ten questions. */
export const useStacks = (owner: string, repo: string): Stacks => {
  const of = `${owner}/${repo}`
  const [begun, setBegun] = useState<{ of: string; page: Page<StackDetail> }>()
  const { data, problem, liveness } = useLive({
    key: ['stacks', owner, repo],
    read: (signal) => readStacks(owner, repo, signal, (page) => setBegun({ of, page })),
    pace: ({ items }) => (items.length > largeFrom ? 'over' : 'list'),
  })
  const early = begun?.of === of ? begun.page : undefined
  return { page: data ?? early, isReading: data === undefined && early !== undefined, problem, tryNow: liveness.tryNow }
}

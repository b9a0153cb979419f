import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type ApiProblem, asProblem } from '../api/errors.ts'
import { readSearch } from '../api/search.ts'
import { fewest, type Group, groupsOf } from './hits.ts'

/** Who types asks nothing until the fingers rest. */
const restMs = 150

export type Found = {
  /** What was found last; it stays while more is typed. Undefined where nothing is looked for. */
  groups: Group[] | undefined
  /** What was found is for the text as it stands. */
  isCurrent: boolean
  problem: ApiProblem | undefined
  tryAgain(): void
}

/** The text once nobody has typed for a moment. */
const useRested = (text: string): string => {
  const [rested, setRested] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), restMs)
    return () => clearTimeout(timer)
  }, [text])
  return rested
}

/** Looks for a text. Nothing is sent for one that is shorter than two characters. */
export const useFound = (typed: string): Found => {
  const text = typed.trim()
  const sought = useRested(text)
  const isLong = text.length >= fewest
  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: ['search', sought],
    queryFn: async ({ signal }) => groupsOf(await readSearch(sought, signal)),
    enabled: isLong && sought.length >= fewest,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  })
  return {
    groups: isLong ? data : undefined,
    isCurrent: isLong && sought === text && data !== undefined && !isPlaceholderData,
    problem: isLong && error ? asProblem(error) : undefined,
    tryAgain: () => void refetch(),
  }
}

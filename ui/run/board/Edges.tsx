import { useMemo } from 'react'
import { looks } from '../../status/table.ts'
import { dependentsOf } from '../state/ordering.ts'
import { useNeeds } from '../state/useNeeds.ts'
import { useRun } from '../state/useRun.ts'
import { edgePaths } from './edge-paths.ts'
import type { Layout } from './layout.ts'

/** Lines of the selected card, behind the cards: dashed from what it needs, solid to what comes after it. */
export const Edges = ({ layout, selected }: { layout: Layout; selected: string }) => {
  const { rows } = useRun()
  const needs = useNeeds()
  const paths = useMemo(() => {
    if (!needs) return undefined
    const dependents = dependentsOf(needs, selected, layout.places.keys())
    const blocked = new Set(dependents.filter((key) => rows.get(key)?.blocked_by?.includes(selected)))
    return edgePaths(layout, {
      key: selected,
      needs: (needs.get(selected) ?? []).map(({ on }) => on),
      dependents,
      blocked,
    })
  }, [layout, selected, needs, rows])
  if (!paths) return null
  return (
    <svg className="edges" width={layout.width} height={layout.height} aria-hidden="true">
      <path className="edges-needs" d={paths.needs} />
      <path className="edges-before" d={paths.before} />
      <path className="edges-blocks" data-tone={looks.stack.failed.tone} d={paths.blocks} />
    </svg>
  )
}

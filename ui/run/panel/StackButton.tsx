import { Link } from '@tanstack/react-router'
import { Key } from '../../parts/text/Key.tsx'
import { useRun } from '../state/useRun.ts'

/** Another stack of the run, which a click opens in the place of this one; one that is not in the run is its key alone. */
export const StackButton = ({ of }: { of: string }) => {
  const { run, rows } = useRun()
  if (!run || !rows.has(of)) return <Key of={of} />
  return (
    <Link to="/runs/$id" params={{ id: run.id }} search={(search) => ({ ...search, stack: of })} resetScroll={false}>
      <Key of={of} />
    </Link>
  )
}

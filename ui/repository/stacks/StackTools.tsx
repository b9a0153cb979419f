import type { StackStatus } from '#api/runs/run-stack.ts'
import type { StackDetail } from '../../api/repositories.ts'
import { Words } from '../../list/Words.tsx'
import { Chip, Chips } from '../../parts/Chip.tsx'
import { type Standing, standingLook, standingOf, standings, standingWord } from './standing.ts'

type Chosen = {
  q?: string | undefined
  status?: StackStatus[] | undefined
  drifted?: 'true' | undefined
  unrun?: 'true' | undefined
}

type StackToolsProps = {
  all: readonly StackDetail[]
  chosen: readonly Standing[]
  q: string | undefined
  set: (chosen: Chosen) => void
  clear: () => void
}

/** Which stacks are shown: by how they stand, the gravest first, and by words of their keys. */
export const StackTools = ({ all, chosen, q, set, clear }: StackToolsProps) => {
  const counts = Map.groupBy(all, standingOf)
  const toggle = (standing: Standing): void => {
    const isOn = chosen.includes(standing)
    const next = standings.filter((one) => (one === standing ? !isOn : chosen.includes(one)))
    const statuses = next.filter((one): one is StackStatus => one !== 'drifted' && one !== 'new')
    set({
      status: statuses.length === 0 ? undefined : statuses,
      drifted: next.includes('drifted') ? 'true' : undefined,
      unrun: next.includes('new') ? 'true' : undefined,
    })
  }
  return (
    <div className="list-tools stack-tools">
      <Chips label="Filter by status">
        <Chip isOn={chosen.length === 0 && q === undefined} toggle={clear} count={all.length}>
          all
        </Chip>
        {standings
          .filter((standing) => counts.has(standing) || chosen.includes(standing))
          .map((standing) => {
            const look = standingLook(standing)
            return (
              <Chip
                key={standing}
                {...(look ? { look } : {})}
                count={counts.get(standing)?.length ?? 0}
                isOn={chosen.includes(standing)}
                toggle={() => toggle(standing)}
              >
                {standingWord(standing)}
              </Chip>
            )
          })}
      </Chips>
      <Words label="Find a stack" text={q} set={(q) => set({ q })} />
    </div>
  )
}

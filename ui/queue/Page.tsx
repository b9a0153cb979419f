import { getRouteApi } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { type QueueItem, readQueue } from '../api/queue.ts'
import { useKeys } from '../keys/registry.ts'
import { ListBody } from '../list/ListBody.tsx'
import { ListHead } from '../list/ListHead.tsx'
import { useLiveList } from '../live/useLiveList.ts'
import { Chip, Chips } from '../parts/Chip.tsx'
import { Empty } from '../parts/feedback/Empty.tsx'
import { Outside } from '../parts/text/Outside.tsx'
import { PageProblem } from '../shell/PageProblem.tsx'
import { useMe } from '../shell/useMe.ts'
import { useTitle } from '../shell/useTitle.ts'
import { Table } from '../table/Table.tsx'
import { columnsOf } from './columns.tsx'
import { Item } from './Item.tsx'
import { Retry } from './Retry.tsx'
import './queue.css'

const route = getRouteApi('/queue')

const states = { dead: 'given up', queued: 'waiting', running: 'under way' } as const

const nothing = {
  dead: 'Nothing was given up: every delivery and every job was done, or is still being tried.',
  queued: 'Nothing waits.',
  running: 'Nothing is under way at this moment.',
}

/** Events and jobs that are not done, for administrators: what was given up first. */
export const QueuePage = () => {
  const { state = 'dead' } = route.useSearch()
  const navigate = route.useNavigate()
  const [retrying, setRetrying] = useState<QueueItem>()
  const [opened, setOpened] = useState<QueueItem>()
  const metrics = useMe()?.dashboard_url
  useTitle('Queue')
  const list = useLiveList({
    key: ['queue', state],
    read: (part, signal) => readQueue(state, part, signal),
    idOf: ({ id }) => id,
  })
  const columns = useMemo(() => columnsOf({ state, retry: setRetrying }), [state])
  useKeys([
    {
      keys: 'u',
      does: 'Retry the row…',
      act: () =>
        document.activeElement?.closest('[data-row]')?.querySelector<HTMLElement>('.queue-retry button')?.click(),
    },
  ])
  const { problem, liveness } = list
  if (problem?.code === 'forbidden')
    return <PageProblem problem={problem} what="the queue" tryAgain={liveness.tryNow} />
  return (
    <>
      <ListHead
        title="Queue"
        liveness={liveness}
        size={
          <>
            Deliveries of the code host, and jobs, that are not done.{' '}
            {metrics !== undefined && <Outside href={metrics}>How many, over time</Outside>}
          </>
        }
      />
      <div className="list-tools">
        <Chips label="Filter by state">
          {(['dead', 'queued', 'running'] as const).map((one) => (
            <Chip
              key={one}
              isOn={one === state}
              toggle={() => void navigate({ search: { state: one }, replace: true, resetScroll: false })}
            >
              {states[one]}
            </Chip>
          ))}
        </Chips>
      </div>
      <ListBody list={list} what="the queue" asked={{}} remove={() => {}} empty={<Empty why={nothing[state]} />}>
        {(rows) => (
          <div className="queue">
            <Table label="Queue" columns={columns} rows={rows} keyOf={({ id }) => String(id)} open={setOpened} />
          </div>
        )}
      </ListBody>
      {opened && <Item of={opened} onClose={() => setOpened(undefined)} />}
      {retrying && <Retry item={retrying} readAgain={liveness.tryNow} onClose={() => setRetrying(undefined)} />}
    </>
  )
}

import { getRouteApi, useLocation, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useKeys } from '../keys/registry.ts'
import { copyLink } from '../live/copy-link.ts'
import { Empty } from '../parts/feedback/Empty.tsx'
import { Problem } from '../parts/feedback/Problem.tsx'
import { Skeleton } from '../parts/feedback/Skeleton.tsx'
import { Prose } from '../parts/text/Prose.tsx'
import { Time } from '../parts/text/Time.tsx'
import { PlanList } from '../plan/PlanList.tsx'
import { PlanText } from '../plan/PlanText.tsx'
import { type PlanStep, usePlan } from '../plan/usePlan.ts'
import { usePlanView } from '../plan/usePlanView.ts'
import type { TextState } from './text-state.ts'

const route = getRouteApi('/runs/$id/stacks/$key')

type ReaderProps = {
  text: TextState
  readAgain: () => void
  jobUrl: string | undefined
  above: ReactNode
  /** Beside it, below the list of resources. */
  children: ReactNode
}

/** What was reported of a stack, as text, and beside it what else is known. */
export const Reader = ({ text, readAgain, jobUrl, above, children }: ReaderProps) => {
  const { fold, find } = route.useSearch()
  const hash = useLocation({ select: (location) => location.hash })
  const navigate = useNavigate()
  const go = ({ hash: line, ...search }: PlanStep): void =>
    void navigate({
      from: '/runs/$id/stacks/$key',
      to: '.',
      search: (before) => ({ ...before, ...search }),
      hash: line ?? hash,
      replace: true,
      resetScroll: false,
      hashScrollIntoView: false,
    })
  const plan = usePlan(text.is === 'here' ? text.text : '', { fold, find, hash }, go)
  const view = usePlanView(plan)
  useKeys([{ keys: 'y', does: 'Copy the link to what is shown', act: () => void copyLink() }])
  return (
    <div className="reader-page">
      <div className="reader-texts">
        {above}
        {text.is === 'here' ? (
          <>
            {text.isCut && <Cut jobUrl={jobUrl} />}
            <PlanText label="Plan text" text={text.text} plan={plan} view={view} />
          </>
        ) : (
          <NoText text={text} readAgain={readAgain} />
        )}
      </div>
      <aside className="reader-beside" aria-label="About this stack">
        <h2 className="unseen">About this stack</h2>
        {text.is === 'here' && <PlanList plan={plan} view={view} />}
        {children}
      </aside>
    </div>
  )
}

const Cut = ({ jobUrl }: { jobUrl: string | undefined }) => (
  <p className="reader-cut">
    This is the beginning: the client reports 256 KB of a text and no more.{' '}
    {jobUrl === undefined ? (
      'The log of its job has all of it.'
    ) : (
      <a href={jobUrl}>The log of its job has all of it.</a>
    )}
  </p>
)

const NoText = ({ text, readAgain }: { text: Exclude<TextState, { is: 'here' }>; readAgain: () => void }) => {
  if (text.is === 'loading') return <Skeleton lines={8} />
  if (text.is === 'broken')
    return <Problem problem={text.problem} what="The text could not be read" tryAgain={readAgain} />
  return (
    <section className="box" aria-label="Plan text">
      <h2>Plan text</h2>
      <div className="box-rest">
        {text.is === 'gone' ? (
          <Empty
            why={
              <>
                It was removed <Time at={text.since} as="moment" />: it was older than this service keeps texts. The
                counts and addresses stay.
              </>
            }
          />
        ) : (
          <Empty why={<Prose of={text.why} />} />
        )}
      </div>
    </section>
  )
}

import { type ReactNode, useId, useState } from 'react'
import { type ApiProblem, asProblem, isUncertain } from '../../api/errors.ts'
import { Problem } from '../feedback/Problem.tsx'
import { Icon } from '../Icon.tsx'
import { Dialog } from './Dialog.tsx'

type ConfirmProps = {
  title: ReactNode
  /** What it is about, below the title. */
  about?: ReactNode
  /** Sentences: what will happen and to whom, and what will not. */
  happens: ReactNode[]
  staysAsItIs: ReactNode[]
  /** On the button: what it does, never 'OK'. */
  action: string
  isDangerous?: boolean
  /** Asks why; it must be said. */
  reasonLabel?: string
  /** A box of its own, such as 'a runner died during the apply'. */
  children?: ReactNode
  /** Answers a sentence where nothing had to be done any more: it is read before the dialog is closed. */
  act: (reason: string) => Promise<string | undefined>
  /** Whatever came of it, the page then shows what it is about as it stands. Nobody waits for that. */
  readAgain?: () => void | Promise<void>
  onClose: () => void
}

/** Says what is about to happen, and does it. Enter alone does nothing: the button has to be meant. */
export const Confirm = (props: ConfirmProps) => {
  const { title, about, happens, staysAsItIs, action, isDangerous = false, reasonLabel, children, onClose } = props
  const id = useId()
  const [reason, setReason] = useState('')
  const [state, setState] = useState<{ busy: boolean; error?: unknown; instead?: string }>({ busy: false })
  const isMissing = reasonLabel !== undefined && reason.trim() === ''
  const go = async (): Promise<void> => {
    setState({ busy: true })
    try {
      const instead = await props.act(reason.trim())
      if (instead === undefined) onClose()
      else setState({ busy: false, instead })
    } catch (error) {
      setState({ busy: false, error })
    }
    void props.readAgain?.()
  }
  if (state.instead !== undefined) return <Instead title={title} sentence={state.instead} onClose={onClose} />
  const foot = (
    <>
      {isMissing && <p className="small quiet">Say why first.</p>}
      <button type="button" className="button" disabled={state.busy} onClick={onClose}>
        Cancel
      </button>
      <button
        type="button"
        className={`button ${isDangerous ? 'button-danger' : 'button-main'}`}
        disabled={isMissing || state.busy}
        onClick={() => void go()}
      >
        {action}
      </button>
    </>
  )
  return (
    <Dialog title={title} onClose={onClose} foot={foot} isHeld={state.busy}>
      {about}
      <Sentences heading="What happens" icon="check" sentences={happens} />
      <Sentences heading="What does not" icon="close" sentences={staysAsItIs} />
      {reasonLabel !== undefined && (
        <div>
          <label className="field-label" htmlFor={id}>
            {reasonLabel}
          </label>
          <textarea id={id} className="field-text" value={reason} onChange={(event) => setReason(event.target.value)} />
        </div>
      )}
      {children}
      {state.error !== undefined && <Failed problem={asProblem(state.error)} />}
    </Dialog>
  )
}

type InsteadProps = { title: ReactNode; sentence: string; onClose: () => void }

const Instead = ({ title, sentence, onClose }: InsteadProps) => (
  <Dialog
    title={title}
    onClose={onClose}
    foot={
      <button type="button" className="button" onClick={onClose}>
        Close
      </button>
    }
  >
    <p>{sentence}</p>
  </Dialog>
)

/** On a phone it would be below the edge of the sheet. */
const bringIntoView = (shown: HTMLElement | null): void => shown?.scrollIntoView({ block: 'nearest' })

const Failed = ({ problem }: { problem: ApiProblem }) => (
  <div ref={bringIntoView}>
    <Problem
      problem={problem}
      what={isUncertain(problem) ? 'It is not known whether it was done' : 'It was not done'}
    />
  </div>
)

type SentencesProps = { heading: string; icon: 'check' | 'close'; sentences: ReactNode[] }

const Sentences = ({ heading, icon, sentences }: SentencesProps) =>
  sentences.length === 0 ? null : (
    <section>
      <h3>{heading}</h3>
      <ul className="confirm-list">
        {sentences.map((sentence, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: sentences have no other name, and their order is theirs
          <li key={at}>
            <Icon name={icon} />
            <span>{sentence}</span>
          </li>
        ))}
      </ul>
    </section>
  )

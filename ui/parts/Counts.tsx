import './counts.css'

export type CountsOf = { add: number; change: number; destroy: number; replace?: number | undefined }

const parts = [
  ['add', '+', 'to add'],
  ['change', '~', 'to change'],
  ['destroy', '−', 'to destroy'],
  ['replace', '±', 'to replace'],
] as const

/** What a plan does, as its signs and numbers: `+1 ~4 −0 ±1`. What would be replaced is left out where nothing is. */
export const Counts = ({ of }: { of: CountsOf }) => {
  const shown = parts.filter(([name]) => name !== 'replace' || (of.replace ?? 0) > 0)
  const words = shown.map(([name, , said]) => `${of[name] ?? 0} ${said}`).join(', ')
  return (
    <span className="counts">
      <span className="unseen">{words}</span>
      <span aria-hidden="true">
        {shown.map(([name, sign]) => (
          <span key={name} className="count" data-does={of[name] ? name : undefined}>
            {sign}
            {of[name] ?? 0}
          </span>
        ))}
      </span>
    </span>
  )
}

/** What a plan does with a resource. */
export type Does = 'destroy' | 'replace' | 'change' | 'add' | 'read' | 'move' | 'import' | 'forget' | 'drift'

export type Heading = { address: string; does: Does; why?: string }

/*
 * How the tools begin a resource: `  # aws_instance.web will be created`. The address comes first and may hold anything in quotes,
 * so what is looked for is how the sentence goes on. Terraform 1.x and OpenTofu say the same here, but for who manages.
 */
const sentences: readonly (readonly [RegExp, Does, ((matched: RegExpExecArray) => string | undefined)?])[] = [
  [/^(.+?) will be created$/, 'add'],
  [/^(.+?) will be updated in-place$/, 'change'],
  [/^(.+?) will be destroyed$/, 'destroy'],
  [/^(.+?) (?:is tainted, so|must be replaced due to taint, so) must be replaced$/, 'replace', () => 'it is tainted'],
  [/^(.+?) must be replaced$/, 'replace'],
  [/^(.+?) will be replaced,? (.+)$/, 'replace', ([, , why]) => why],
  [/^(.+?) will be read during apply$/, 'read'],
  [/^(.+?) has moved to (.+)$/, 'move', ([, from]) => `was ${from}`],
  [/^(.+?) will be imported$/, 'import'],
  [/^(.+?) will no longer be managed by (?:Terraform|OpenTofu), but will not be destroyed$/, 'forget'],
  [/^(.+?) will be removed from the (?:Terraform|OpenTofu) state but will not be destroyed$/, 'forget'],
  [/^(.+?) has been deleted$/, 'drift', () => 'deleted outside of the tool'],
  [/^(.+?) has (?:been )?changed$/, 'drift'],
]

/** What a line says that begins a resource; undefined for every other line. */
export const headingOf = (line: string): Heading | undefined => {
  if (!line.startsWith('  # ')) return undefined
  const sentence = line.slice(4).trimEnd()
  for (const [pattern, does, whyOf] of sentences) {
    const matched = pattern.exec(sentence)
    if (!matched) continue
    const why = whyOf?.(matched)
    // what has moved is found by where it is now
    const address = (does === 'move' ? matched[2] : matched[1]) ?? ''
    return { address, does, ...(why === undefined ? {} : { why }) }
  }
  return undefined
}

const reason = /^ {2}# \((because |moved from |imported from |config refers |depends on )?(.*)\)$/

/** What the line after the first says of why: `  # (because aws_instance.old is not in configuration)`. */
export const reasonOf = (line: string, address: string): string | undefined => {
  const [, begin = '', rest = ''] = reason.exec(line.trimEnd()) ?? []
  if (rest === '') return undefined
  if (begin !== 'because ') return `${begin}${rest}`
  return rest.startsWith(`${address} `) ? rest.slice(address.length + 1) : rest
}

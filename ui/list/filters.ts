/** Filters as they were asked for: those without a value are none. */
export type Asked = Readonly<Record<string, string | number | undefined>>

/** What an answer went by, of what was asked, and what it did not know. */
export type WentBy = { by: [name: string, value: string][]; ignored: string[] }

const given = (asked: Asked): [string, string][] =>
  Object.entries(asked).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))

/** An older service ignores a filter that it does not know, and answers everything as if it matched: then it must be said. */
export const wentBy = (asked: Asked, answered: Readonly<Record<string, string>> = {}): WentBy => ({
  by: given(asked).filter(([name]) => name in answered),
  ignored: given(asked).flatMap(([name]) => (name in answered ? [] : [name])),
})

export const isFiltered = (asked: Asked): boolean => given(asked).length > 0

/** What pages call the filters of the API. */
const names: Record<string, string> = {
  ...{ repo: 'repository', pr: 'pull request', actor: 'who', status: 'status', mode: 'kind', open: 'under way' },
  ...{
    action: 'action',
    target: 'target',
    from: 'from',
    to: 'up to',
    state: 'state',
    q: 'words',
    unrun: 'not run yet',
    behind: 'modules behind',
    apply: 'last apply',
  },
}

export const filterName = (name: string): string => names[name] ?? name

/** Several are said with commas between. */
const alternatives = (texts: string): string => texts.split(/, ?/).join(' or ')

/** How a value is said, where not as it is. */
const values: Record<string, (value: string) => string> = {
  pr: (number) => `#${number}`,
  status: alternatives,
  apply: alternatives,
  state: alternatives,
}

/** `status failed`, `repository acme/infra`; what has no value worth saying is its name: `under way`. */
export const filterWords = (name: string, value: string): string =>
  value === 'true' ? filterName(name) : `${filterName(name)} ${values[name]?.(value) ?? value}`

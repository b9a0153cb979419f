import type { Gate } from '../api/gate.ts'
import { many } from '../parts/words.ts'
import { layerWords } from './verdict-words.ts'

export type Failure = Gate['failures'][number]

/** What one rule of svc.yml refuses; without `place`, what is asked of all stacks. */
export type Refusals = { name: string; place?: string; failures: Failure[] }

/** By the rule that asks for it, what is asked of all stacks first; rules in the order in which they first refuse. */
export const byRule = (failures: readonly Failure[]): Refusals[] => {
  const groups = Map.groupBy(failures, ({ rule }) => rule?.place ?? '')
  return [...groups]
    .toSorted(([a], [b]) => Number(a !== '') - Number(b !== ''))
    .map(([place, some]) => {
      if (place === '') return { name: 'All stacks', failures: some }
      return { name: some[0]?.rule?.name ?? place, place, failures: some }
    })
}

const either = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`

/** `2 approvals, by grace or members of acme/dba`; undefined where people can do nothing about it. */
export const couldWords = ({ could }: Failure): string | undefined => {
  if (could === undefined) return undefined
  const { act, people, logins, teams } = could
  const who = [...logins, ...teams.map((team) => `${people === 1 ? 'a member' : 'members'} of ${team}`)]
  const named = who.length === 0 ? 'anybody else who may push' : either(who)
  return act === 'approve' ? `${many(people, 'approval')}, by ${named}` : `an apply that ${named} asks for`
}

/** The smallest set of people who could let it through, each with what they do. */
export const peopleWords = ({ could }: Gate): string[] => {
  if (could === undefined) return []
  const { approve, ask } = could
  return [
    ...approve.logins.map((login) => `${login} approves`),
    ...approve.teams.map((team) => `a member of ${team} approves`),
    ...(approve.others > 0
      ? [
          `${many(approve.others, 'other who may push', 'others who may push')} ${approve.others === 1 ? 'approves' : 'approve'}`,
        ]
      : []),
    ...(ask === undefined ? [] : [`a member of ${ask.teams.join(' and ')} asks for the apply`]),
  ]
}

/** What stays in the way whoever approves, such as a freeze; undefined if nothing does. */
export const staysWords = ({ failures }: Gate): string | undefined => {
  const layers = failures.flatMap(({ layer, could }) => (could === undefined ? [layerWords[layer]] : []))
  return layers.length === 0 ? undefined : `In the way whoever approves: ${[...new Set(layers)].join(', ')}.`
}

/** When applies may begin again, where a window keeps them from it now. */
export const opensAt = ({ facts }: Gate): string | undefined =>
  facts.flatMap(({ evidence }) => evidence).find(({ holds, opens_at }) => !holds && opens_at !== undefined)?.opens_at

/** Where a requirement is written: `apply` for what is asked of all stacks, or the place of a rule, and its name if it has one. */
export type RuleRef = { place: string; name?: string }

/** `apply` itself: a rule that every stack takes. */
export const ofAll: RuleRef = { place: 'apply' }

export const isOfAll = ({ place }: RuleRef): boolean => place === ofAll.place

/** `apply.four_eyes`, or `apply.rules[2].four_eyes of the rule production`. */
export const placeText = ({ place, name }: RuleRef, key: string): string =>
  `${place}.${key}${name === undefined ? '' : ` of the rule ${name}`}`

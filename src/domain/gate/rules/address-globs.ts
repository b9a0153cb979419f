export type AddressMatcher = (address: string) => boolean

/** After a module's name, its index: `["a.b"]`, in which a quote is escaped. */
const afterIndex = (address: string, from: number): number => {
  if (address[from] !== '[') return from
  let isQuoted = false
  for (let at = from + 1; at < address.length; at += 1) {
    const char = address[at]
    if (char === '\\' && isQuoted) at += 1
    else if (char === '"') isQuoted = !isQuoted
    else if (char === ']' && !isQuoted) return at + 1
  }
  return address.length
}

const MODULE = 'module.'

/** The address within its module: `aws_db_instance.main` of `module.core["eu"].module.db.aws_db_instance.main`. */
const withinModule = (address: string): string => {
  let start = 0
  while (address.startsWith(MODULE, start)) {
    let at = start + MODULE.length
    while (at < address.length && address[at] !== '.' && address[at] !== '[') at += 1
    start = afterIndex(address, at) + 1
  }
  return address.slice(start)
}

/** The address without the indexes of its modules, or of its resource, or of both. */
const withoutIndexes = (address: string, of: 'modules' | 'resource' | 'both'): string => {
  let kept = ''
  let at = 0
  for (let open = address.indexOf('['); open >= 0; open = address.indexOf('[', at)) {
    const behind = afterIndex(address, open)
    const is = address[behind] === '.' ? 'modules' : 'resource'
    kept += address.slice(at, of === 'both' || of === is ? open : behind)
    at = behind
  }
  return kept + address.slice(at)
}

/** The forms in which globs name a resource: who leaves an index out means all of `count` or `for_each`. */
const formsOf = (address: string): string[] => {
  const isOfModule = address.startsWith(MODULE)
  const inner = isOfModule ? withinModule(address) : address
  const forms = isOfModule ? [address, inner] : [address]
  if (!address.includes('[')) return forms
  forms.push(withoutIndexes(address, 'both'))
  if (!isOfModule || !inner.includes('[')) return forms
  forms.push(withoutIndexes(inner, 'both'), withoutIndexes(address, 'modules'), withoutIndexes(address, 'resource'))
  return forms
}

/**
 * Brackets are part of an address, so `*` is the only wildcard: any number of any characters. What is between two stars is looked for
 * from where the one before it ended, in time linear in the address: a list has 500 of up to 1,000 characters.
 */
const matcherOf = (glob: string): AddressMatcher => {
  const [head = '', ...between] = glob.split('*')
  const tail = between.pop()
  if (tail === undefined) return (address) => address === glob
  return (address) => {
    const end = address.length - tail.length
    if (end < head.length || !address.startsWith(head) || !address.endsWith(tail)) return false
    let at = head.length
    for (const text of between) {
      const found = address.indexOf(text, at)
      if (found < 0) return false
      at = found + text.length
    }
    return at <= end
  }
}

/** What the client puts for a secret; nothing else of an address can be a star. */
const MASK = '***'

const isAny = (matchers: readonly AddressMatcher[], forms: readonly string[]): boolean =>
  matchers.some((matches) => forms.some(matches))

/**
 * Matches the addresses of resources that any of some globs means: as a whole, or within its module, since who protects
 * `aws_db_instance.*` means those of modules too, and with or without indexes, since `aws_db_instance.main` means `[0]` of it too.
 * Which index a masked one is nobody knows: it counts as the one that is meant.
 */
export const compileAddressGlobs = (globs: readonly string[]): AddressMatcher => {
  const matchers = globs.map(matcherOf)
  const ofAnyIndex = globs.map((glob) => matcherOf(withoutIndexes(glob, 'both')))
  return (address) => {
    const forms = formsOf(address)
    return isAny(matchers, forms) || (address.includes(MASK) && isAny(ofAnyIndex, forms))
  }
}

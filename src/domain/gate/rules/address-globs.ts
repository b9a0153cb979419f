import { matchesText, type Pattern } from '#domain/config/wildcard.ts'

export type AddressMatcher = (address: string) => boolean

/** Brackets are part of an address, so `*` is the only wildcard: any number of any characters. */
const patternOf = (glob: string): Pattern =>
  [...glob.replaceAll(/\*+/g, '*')].map((char) => (char === '*' ? '*' : (other) => other === char))

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

const matcherOf = (glob: string): AddressMatcher => {
  if (!glob.includes('*')) return (address) => address === glob
  const pattern = patternOf(glob)
  const [head = ''] = glob.split('*', 1)
  return (address) => address.startsWith(head) && matchesText(pattern, address)
}

/**
 * Matches the addresses of resources that any of some globs means: as a whole, or within its module, since who protects
 * `aws_db_instance.*` means those of modules too.
 */
export const compileAddressGlobs = (globs: readonly string[]): AddressMatcher => {
  const matchers = globs.map(matcherOf)
  return (address) => {
    const inner = withinModule(address)
    return matchers.some((matches) => matches(address) || (inner !== address && matches(inner)))
  }
}

const offset = 0xcbf29ce484222325n
const prime = 0x100000001b3n

/** FNV-1a over UTF-16 code units, 64 bits as 16 hex digits: distinguishes long names, and is no defence against forgery. */
export const fnv1a = (text: string): string => {
  let hash = offset
  for (let at = 0; at < text.length; at++) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(at))) * prime)
  }
  return hash.toString(16).padStart(16, '0')
}

/** A cookie holds 4 KB, and the path is in one for ten minutes. */
const longest = 2000

/**
 * Where a person goes after signing in: a path on this service as it will be sent, `/` for everything else. Browsers read
 * `//host`, `/\host` and the like as other addresses, and sign-in itself is no place to return to.
 */
export const nextPath = (asked: unknown, baseUrl: string): string => {
  if (typeof asked !== 'string' || asked.length > longest || !/^\/(?![/\\])[^\\\p{Cc}\p{Zl}\p{Zp}]*$/u.test(asked))
    return '/'
  const { origin } = new URL(baseUrl)
  const url = URL.parse(asked, origin)
  if (!url || url.origin !== origin) return '/'
  const path = `${url.pathname}${url.search}${url.hash}`
  // dot segments may leave two leading slashes
  return path.length > longest || /^\/(\/|auth(\/|$))/.test(path) ? '/' : path
}

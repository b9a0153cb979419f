/**
 * Loads the page again where a part of an older build is gone, unless that was done for the same reason in this tab: what is missing then is
 * not there at all. A service that does not answer just now is left alone: what is shown stays.
 */
export const reloadOnce = async (reason: string): Promise<void> => {
  const answer = await fetch(location.href, { cache: 'no-store' }).catch(() => undefined)
  if (!answer?.ok) return
  const key = `svc.reloaded:${reason}`
  try {
    if (sessionStorage.getItem(key) !== null) return
    sessionStorage.setItem(key, '1')
  } catch {
    // without storage nobody could know that it is the second time
    return
  }
  location.reload()
}

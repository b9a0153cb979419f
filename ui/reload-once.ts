/** Loads the page again, unless that was done for the same reason in this tab: what is missing then is not there at all. */
export const reloadOnce = (reason: string): void => {
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

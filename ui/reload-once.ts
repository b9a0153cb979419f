/*
 * Loaded in the head, before the files that it is about (vite.config.ts): while two versions of the service answer side by side, the one may be
 * asked for a file that only the other has. The page is loaded again then, once. It has no imports: a script of the head is one file.
 */

/**
 * Loads the page again, unless that was done for the same reason in this tab: what is missing then is not there at all. A service that does
 * not answer just now is left alone: what is shown stays.
 */
const reloadOnce = async (reason: string): Promise<void> => {
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

// a part of an older build that the service no longer has: the index names those of the present one
addEventListener('vite:preloadError', ({ payload }) => {
  void reloadOnce(payload.message)
  // by the browser's own words the router would load the page again itself, whether anybody answers or not
  payload.message = `A part of the page could not be loaded. ${payload.message}`
})

// a file that the document names: whichever of them it is, the reason is this document, of which the main script is the name
addEventListener(
  'error',
  ({ target }) => {
    const isOfDocument = target instanceof HTMLScriptElement || target instanceof HTMLLinkElement
    const main = document.querySelector<HTMLScriptElement>('script[type=module]')
    // later ones are parts, of which is told above
    if (isOfDocument && main && document.readyState !== 'complete') void reloadOnce(main.src)
  },
  true,
)

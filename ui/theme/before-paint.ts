/* Loaded in the head, before anything is painted (vite.config.ts): the theme that was chosen in this browser, else the system's. */

try {
  const chosen = localStorage.getItem('svc.theme')
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen
} catch {
  // storage may be closed to us: then it is the system's
}

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

/** The same name as in before-paint.ts, which has no imports: a script of the head is one file. */
const key = 'svc.theme'

/** What was chosen in this browser; the system's where nothing was, or where storage is closed to us. */
export const chosenTheme = (): Theme => {
  try {
    const stored = localStorage.getItem(key)
    return themes.find((theme) => theme === stored) ?? 'system'
  } catch {
    return 'system'
  }
}

/** Shows the theme at once, and keeps it for the next visit where that is possible. */
export const chooseTheme = (theme: Theme): void => {
  const { dataset } = document.documentElement
  if (theme === 'system') delete dataset.theme
  else dataset.theme = theme
  try {
    if (theme === 'system') localStorage.removeItem(key)
    else localStorage.setItem(key, theme)
  } catch {
    // it lasts as long as the page
  }
}

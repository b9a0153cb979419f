import { tell } from './Note.tsx'

/** Copies the address, which is the view, and says whether the browser let it. */
export const copyLink = async (): Promise<void> => {
  try {
    await navigator.clipboard.writeText(location.href)
    tell('Copied the link to this view.')
  } catch {
    tell('This browser did not let the link be copied.')
  }
}

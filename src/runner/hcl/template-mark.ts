import { OPEN_BRACE } from './cursor.ts'

/** Whether a template opens at an offset with `$` or `%`. `$${` and `%%{` are escapes for `${` and `%{`. */
export const templateAt = (text: string, at: number): 'opens' | 'escaped' | 'no' => {
  const next = text.charCodeAt(at + 1)
  if (next === OPEN_BRACE) return 'opens'
  return next === text.charCodeAt(at) && text.charCodeAt(at + 2) === OPEN_BRACE ? 'escaped' : 'no'
}

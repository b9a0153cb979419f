/** Two letters for a login, in the place of a picture, which would come from another host: `ada-lovelace` is AL, `ada` is AD. */
export const initials = (login: string): string => {
  const [first = '', second] = login.split(/[^\p{L}\p{N}]+/u).filter((part) => part !== '')
  const letters = second === undefined ? [...first].slice(0, 2) : [[...first][0] ?? '', [...second][0] ?? '']
  return letters.join('').toUpperCase()
}

/** A state as one name: `applying.draining`, from the text or the object that XState has for it. */
export const stateName = (value: unknown): string => {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return 'unknown'
  const [outer] = Object.entries(value)
  return outer === undefined ? 'unknown' : `${outer[0]}.${stateName(outer[1])}`
}

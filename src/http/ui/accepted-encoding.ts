/** A form that the build has of a file. */
export type Encoding = 'br' | 'gzip'

/** The better of the two that a request takes (RFC 9110, 12.5.3); undefined for the file as it is. */
export const acceptedEncoding = (header: string | undefined): Encoding | undefined => {
  const weights = new Map<string, number>()
  for (const part of (header ?? '').split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    const weight = parameters.find((text) => text.startsWith('q='))
    weights.set(name, weight === undefined ? 1 : Number(weight.slice(2)))
  }
  const takes = (encoding: Encoding): boolean => (weights.get(encoding) ?? weights.get('*') ?? 0) > 0
  if (takes('br')) return 'br'
  return takes('gzip') ? 'gzip' : undefined
}

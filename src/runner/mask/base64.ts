/** Shorter pieces occur by chance. */
const SHORTEST = 8

/**
 * A secret as it is within the base64 of a longer text: three bytes make four characters, so there are three ways to be written.
 * The characters at both ends also hold bits of what is beside the secret, and are left out.
 */
export const withinBase64 = (secret: string): string[] =>
  [0, 1, 2].flatMap((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)])
    const inner = bytes.toString('base64').slice(Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6))
    return inner.length < SHORTEST ? [] : [inner]
  })

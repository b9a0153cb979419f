/** What is wrong with a text of YAML, and how many characters are before it. */
export class YamlFault extends Error {
  readonly offset: number

  constructor(message: string, offset: number) {
    super(message)
    this.offset = offset
  }
}

/** Deeper than anything that svc.yml knows. The library and what comes after it follow each level by a call. */
const MAX_DEPTH = 50

/** Throws for what is nested too deep. */
export const checkDepth = (depth: number, offset: number): void => {
  if (depth > MAX_DEPTH) throw new YamlFault(`is nested more than ${MAX_DEPTH} levels deep`, offset)
}

/*
 * The part of a file that a scanner reads: names, labels, and the text of every value. Both syntaxes (`.tf` and `.tf.json`)
 * give the same result, so no code after the readers asks which one it was.
 */

/** `name = expression`: the expression as written, and the offset of the name in the file. */
export type Attribute = { readonly name: string; readonly expression: string; readonly at: number }

export type Block = {
  readonly type: string
  readonly labels: readonly string[]
  readonly body: Body
  readonly at: number
}

export type Body = { readonly attributes: ReadonlyMap<string, Attribute>; readonly blocks: readonly Block[] }

export const emptyBody: Body = { attributes: new Map(), blocks: [] }

export const blocksOf = (body: Body, type: string): Block[] => body.blocks.filter((block) => block.type === type)

export const expressionOf = (body: Body, name: string): string | undefined => body.attributes.get(name)?.expression

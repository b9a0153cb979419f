/** What a person types. */
export type Typed = NodeJS.ReadableStream & { isTTY?: boolean }

/** Asks a question and resolves with the line that was typed, trimmed; with nothing if the input ended instead. */
export const askOn = async (
  input: Typed,
  output: NodeJS.WritableStream,
  question: string,
): Promise<string | undefined> => {
  const { createInterface } = await import('node:readline')
  const lines = createInterface({ input, output })
  return await new Promise((resolve) => {
    lines.on('close', () => resolve(undefined))
    lines.question(question, (line) => {
      resolve(line.trim())
      lines.close()
    })
  })
}

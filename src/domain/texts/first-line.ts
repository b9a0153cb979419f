/** The part of a foreign text that fits in a message: its first line, 300 characters at most (a 502 is a page of HTML). */
export const firstLine = (text: string): string => (text.split('\n', 1)[0] ?? '').slice(0, 300)

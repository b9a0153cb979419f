/** What fits in a message of a text that others wrote: its first line, of 300 characters at most (a 502 is a page of HTML). */
export const firstLine = (text: string): string => (text.split('\n', 1)[0] ?? '').slice(0, 300)

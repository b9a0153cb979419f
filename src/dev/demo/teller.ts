import { styleText } from 'node:util'

/** Prints what the demo says. */
export type Teller = {
  /** A line as it is. */
  say(line: string): void
  /** Begins a scene; the times of its events count from here. */
  title(text: string): void
  /** An event, with the time since the title. */
  tell(line: string): void
  problem(text: string): void
}

/** Lines for a person: colours only on a terminal, and none when NO_COLOR is set. */
export const createTeller = (stream: NodeJS.WriteStream): Teller => {
  let began = performance.now()
  const styled = (style: 'bold' | 'dim' | 'red', text: string): string => styleText(style, text, { stream })
  const say = (line: string): void => void stream.write(`${line}\n`)
  return {
    say,
    title: (text) => {
      began = performance.now()
      say(`\n${styled('bold', text)}`)
    },
    tell: (line) => {
      const seconds = ((performance.now() - began) / 1000).toFixed(1)
      say(`${styled('dim', `${seconds.padStart(6)} s`)}  ${line}`)
    },
    problem: (text) => say(styled('red', text)),
  }
}

/**
 * Commands to GitHub's runner in the job's log. Source: docs.github.com, 'Workflow commands for GitHub Actions'. Text from others
 * is escaped: otherwise a file name could end the command and begin another.
 */

/** A place in the repository; lines and columns count from 1. */
export type Place = { file: string; line?: number | undefined; column?: number | undefined }

const data = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

export const annotation = (level: 'error' | 'warning' | 'notice', message: string, place?: Place): string => {
  const at = place === undefined ? {} : { file: place.file, line: place.line, col: place.column }
  const properties = Object.entries(at)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${property(String(value))}`]))
    .join(',')
  return `::${level}${properties === '' ? '' : ` ${properties}`}::${data(message)}\n`
}

export const groupStart = (title: string): string => `::group::${data(title)}\n`
export const groupEnd = '::endgroup::\n'

/** Between these two lines the runner takes nothing for a command: a plan may print any text. */
export const commandsOff = (token: string): string => `::stop-commands::${token}\n`
export const commandsOn = (token: string): string => `::${token}::\n`

/** Text that holds names from others, in which no line begins a command: not even a directory called `::stop-commands::`. */
export const withoutCommands = (text: string): string =>
  text.replaceAll(/^([^\S\n\r\u2028\u2029]*)(::|##\[)/gm, '$1\u200b$2')

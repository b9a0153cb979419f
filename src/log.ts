import { type Logger, pino } from 'pino'

export type Log = Logger

export type LogOptions = { level: 'debug' | 'info' | 'warn' | 'error' | 'silent'; format: 'json' | 'text' }

/** One line an event on standard output. Credentials never get here: headers and bodies are not logged at all. */
export const createLog = (options: LogOptions): Log =>
  pino({
    level: options.level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: ['authorization', 'token', '*.authorization', '*.token', '*.cookie'],
    ...(options.format === 'text' ? { hooks: { streamWrite: textLine } } : {}),
  })

/** `time LEVEL message key=value …`: for a terminal; pino-pretty would be a dependency for these few lines. */
const textLine = (line: string): string => {
  const { level, time, msg, err, ...rest } = JSON.parse(line) as Record<string, unknown>
  const fields = Object.entries(rest).map(([key, value]) => `${key}=${JSON.stringify(value)}`)
  const fault = err ? `\n${(err as { stack?: string }).stack ?? JSON.stringify(err)}` : ''
  const head = `${time} ${String(level).toUpperCase().padEnd(5)} ${msg ?? ''} ${fields.join(' ')}`
  return `${head.trimEnd()}${fault}\n`
}

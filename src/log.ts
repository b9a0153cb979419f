import { type DestinationStream, type Logger, pino } from 'pino'

export type Log = Logger

export type LogOptions = { level: 'debug' | 'info' | 'warn' | 'error' | 'silent'; format: 'json' | 'text' }

/**
 * One line per event, on standard output unless another destination is given. Credentials never get here: headers and bodies
 * are not logged.
 */
export const createLog = (options: LogOptions, destination?: DestinationStream): Log =>
  pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      // not pino's own, which would log everything that an error carries
      serializers: { err: loggable },
      redact: ['authorization', 'token', '*.authorization', '*.token', '*.cookie'],
      ...(options.format === 'text' ? { hooks: { streamWrite: textLine } } : {}),
    },
    destination ?? pino.destination(1),
  )

/** `time LEVEL message key=value …`: for a terminal; pino-pretty would be a dependency for these few lines. */
const textLine = (line: string): string => {
  const { level, time, msg, err, ...rest } = JSON.parse(line) as Record<string, unknown>
  const fields = Object.entries(rest).map(([key, value]) => `${key}=${JSON.stringify(value)}`)
  const fault = err ? `\n${(err as { stack?: string }).stack ?? JSON.stringify(err)}` : ''
  const head = `${time} ${String(level).toUpperCase().padEnd(5)} ${msg ?? ''} ${fields.join(' ')}`
  return `${head.trimEnd()}${fault}\n`
}

/** Name, message, code and stack of an error and its causes. Nothing else: a database's error holds the values of its query. */
const loggable = (error: unknown): Record<string, unknown> => {
  const chain: Error[] = []
  for (let each = error; each instanceof Error && chain.length < 5; each = each.cause) chain.push(each)
  const [first] = chain
  if (!first) return { message: String(error) }
  return {
    name: first.name,
    message: chain.map(({ message }) => message).join(': '),
    code: chain.map((each) => (each as { code?: unknown }).code).find((code) => code !== undefined),
    stack: chain.map(({ stack }) => stack).join('\ncaused by: '),
  }
}

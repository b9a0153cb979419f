import { Transform, type TransformCallback } from 'node:stream'
import { styleText } from 'node:util'
import { Parser, type Result } from 'tap-parser'
import { stringify } from 'yaml'

type Counts = { passed: number; failed: number; skipped: number }
type Timed = { name: string; seconds: number }
type Tally = { total: Counts; file: Counts; failures: string[]; words: string[]; files: Timed[]; failed: string[] }

const newTally = (): Tally => ({ total: noCounts(), file: noCounts(), failures: [], words: [], files: [], failed: [] })
const noCounts = (): Counts => ({ passed: 0, failed: 0, skipped: 0 })

const readTap = (tally: Tally, print: (text: string) => void): Parser => {
  const parser = new Parser()
  let closing: Result | undefined
  hear(parser, tally)
  // Leaves only: the parser does not surface the closing line of a subtest unless that line has something to say.
  parser.on('result', (result) => {
    if (result !== closing) count(tally, result)
  })
  parser.on('assert', (result) => {
    closing = result
    if (result.ok && counted(tally.file) === 0) fail(tally, `${result.name}: no test in this file`)
    if (!result.ok && tally.file.failed === 0) fail(tally, describe(result))
    tally.files.push({ name: result.name, seconds: secondsOf(result) })
    const line = fileLine(result, tally)
    if (tally.file.failed > 0) tally.failed.push(line)
    print(line)
    Object.assign(tally, { file: noCounts(), failures: [], words: [] })
  })
  return parser
}

const counted = (counts: Counts): number => counts.passed + counts.failed + counts.skipped

const count = (tally: Tally, result: Result): void => {
  const kind = result.skip || result.todo ? 'skipped' : result.ok ? 'passed' : 'failed'
  if (kind === 'failed') tally.failures.push(describe(result))
  tally.file[kind]++
  tally.total[kind]++
}

const fail = (tally: Tally, text: string): void => {
  tally.file.failed++
  tally.total.failed++
  tally.failures.push(text)
}

/** What tests print and comment, at any depth: shown beneath their file. tap's own remarks are left out. */
const hear = (parser: Parser, tally: Tally): void => {
  parser.on('extra', (text) => text.trim() && tally.words.push(text.trim()))
  parser.on('comment', (text) => tapsOwn.test(text) || tally.words.push(text.trim()))
  parser.on('child', (child) => hear(child, tally))
}

const tapsOwn = /^\s*# (Subtest|time=|No coverage|\{ total|(failed|skip|todo|test count))/

const fileLine = (result: Result, tally: Tally): string => {
  const { passed, failed, skipped } = tally.file
  const mark = failed > 0 ? styleText('red', 'not ok') : styleText('green', 'ok    ')
  const some = [
    [passed, 'passed'],
    [failed, 'failed'],
    [skipped, 'skipped'],
  ].flatMap(([n, word]) => (n ? `${n} ${word}` : []))
  const seconds = `${secondsOf(result).toFixed(1)} s`
  const words = tally.words.map((text) => `${indent(text)}\n`).join('')
  const failures = tally.failures.map((text) => `\n${indent(text)}\n`).join('')
  return `${mark} ${result.name}  ${some.join(', ')}  ${seconds}\n${words}${failures}${failures && '\n'}`
}

const secondsOf = (result: Result): number => (result.time ?? 0) / 1000

const shown = 10

/** Where the time went in a run of many files: the slowest files, and the sum of all beside the run's duration. */
const timesText = (files: readonly Timed[], elapsed: number): string => {
  if (files.length <= shown) return ''
  const slowest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, shown)
  const lines = slowest.map(({ name, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${name}\n`)
  const sum = files.reduce((total, { seconds }) => total + seconds, 0)
  return `\n${lines.join('')}${sum.toFixed(1).padStart(7)} s  all ${files.length} files, in ${elapsed.toFixed(1)} s\n`
}

/** What failed in a run of many files, once more: of a long print often the end alone is kept. */
const failedText = ({ files, failed }: Tally): string =>
  (files.length > shown ? failed : []).map((line) => `\n${line}`).join('')

const indent = (text: string): string => text.replace(/^(?=.)/gm, '    ')

/** Name, place, then what tap found: the difference and the source as they are, the rest as YAML. */
const describe = (result: Result): string => {
  const { at, diff, source, stack, command, args, cwd, stdio, jobId, externalID, ...rest } = (result.diag ??
    {}) as Record<string, unknown>
  const place = at as { fileName?: string; lineNumber?: number; columnNumber?: number } | undefined
  const lines = [
    styleText('red', result.fullname || result.name),
    place?.fileName && `at ${place.fileName}:${place.lineNumber}:${place.columnNumber}`,
    diff,
    source,
    Object.keys(rest).length > 0 && stringify(rest).trimEnd(),
    stack && `stack:\n${stack}`,
  ]
  return lines.filter(Boolean).join('\n')
}

/*
 * What `npm test` prints: a line for each file as it ends, every failure in full where it happened and, of many
 * files, once more at the end, the slowest files, and at the very end one plain line, `N passed, N failed` (`, N skipped` if there
 * are any), for people and scripts alike. A Transform, because tap pipes the reporter's own output on to standard output.
 */
export default class Reporter extends Transform {
  readonly #began = performance.now()
  readonly #tally = newTally()
  readonly #parser = readTap(this.#tally, (text) => this.push(text))

  override _transform(chunk: string | Buffer, _encoding: string, done: TransformCallback): void {
    this.#parser.write(String(chunk))
    done()
  }

  override _flush(done: TransformCallback): void {
    this.#parser.end()
    const { passed, failed, skipped } = this.#tally.total
    this.push(failedText(this.#tally))
    this.push(timesText(this.#tally.files, (performance.now() - this.#began) / 1000))
    // A file without a test is a failure here but not for tap, so we set the exit status ourselves.
    if (failed > 0) process.exitCode = 1
    this.push(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`)
    done()
  }
}

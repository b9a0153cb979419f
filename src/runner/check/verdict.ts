import type { CheckVerdict } from '#api/runs/check.ts'
import { limits } from '#domain/limits.ts'
import { fenced } from '#domain/texts/markdown.ts'
import type { Masks } from '../mask/masks.ts'
import { cutBeginning, cutEnd, printable } from '../mask/sendable-text.ts'
import type { Output } from '../output/output.ts'
import { endText } from '../tool/failed.ts'
import type { Ended } from '../tool/run-program.ts'

/** Room for the fence and the note of a cut text, in bytes. */
const FRAME_BYTES = 256

const lastLine = (text: string): string | undefined =>
  text
    .split('\n')
    .map((line) => line.trim())
    .findLast((line) => line !== '')

/** A verdict within the limits of what a client sends. What is too long is cut; the text and the log say so. */
export const boundVerdict = (verdict: CheckVerdict, output: Output): CheckVerdict => {
  const { summary, details, ...rest } = verdict
  const line = cutEnd(
    printable(summary ?? '')
      .split('\n')
      .map((each) => each.trim())
      .filter((each) => each !== '')
      .join(' '),
    limits.checkSummaryBytes - FRAME_BYTES,
  )
  const text = cutEnd(printable(details ?? ''), limits.checkDetailsBytes - FRAME_BYTES)
  if (line.isCut) output.warn('the summary is cut: it may have 4 KB')
  if (text.isCut) output.warn('the details are cut: they may have 64 KB')
  return {
    ...rest,
    ...(line.text === '' ? {} : { summary: line.isCut ? `${line.text} … (cut at 4 KB)` : line.text }),
    ...(text.text === '' ? {} : { details: text.isCut ? `${text.text}\n\nCut at 64 KB.\n` : text.text }),
  }
}

/**
 * The verdict of a program that ended: 0 passes, any other status means what `mode` says. The last line it printed is the
 * summary, as tools close with their counts. The rest are the details, unless the stack's plans are kept back: a check quotes
 * what it finds.
 */
export const verdictOf = (
  ended: Ended,
  { mode, masks, isKeptBack }: { mode: 'fail' | 'warn'; masks: Masks; isKeptBack: boolean },
): CheckVerdict => {
  const said = masks.hide(printable(`${ended.stdout}\n${ended.stderr}`).trim())
  const line = masks.hide(lastLine(printable(ended.stdout)) ?? lastLine(printable(ended.stderr)) ?? '')
  const end = cutBeginning(said, limits.checkDetailsBytes - 2 * FRAME_BYTES)
  return {
    status: ended.code === 0 ? 'pass' : mode,
    summary: line === '' ? endText(ended) : line,
    ...(isKeptBack || said === '' ? {} : { details: fenced(end) }),
  }
}

import type { Body } from '#runner/hcl/body.ts'
import { literal } from '#runner/hcl/evaluate.ts'
import { readExpression } from '#runner/hcl/expression.ts'
import { HclError } from '#runner/hcl/hcl-error.ts'
import { parseHcl } from '#runner/hcl/parse-hcl.ts'
import { readFacts } from '#runner/scan/facts/file-facts.ts'
import { differences, type Json, oracle } from '#test/runner/hcl/hcl-oracle.ts'

export type Verdict = { accepted: boolean; wrong?: string }

/** A text of a few KB takes milliseconds. */
const HANG_MS = 2000

const evaluateAll = ({ attributes, blocks }: Body): void => {
  for (const { expression } of attributes.values()) {
    literal(expression)
    readExpression(expression)
  }
  for (const { body } of blocks) evaluateAll(body)
}

/** Reads a text in every way that a scan does: its blocks, undefined if it is refused, and what is wrong with its facts. */
const readAll = (text: string): { body?: Body; wrong?: string } => {
  const { errors: [fault] = [] } = readFacts(text, 'hcl')
  try {
    const body = parseHcl(text)
    evaluateAll(body)
    return { body, ...(fault === undefined ? {} : { wrong: `has no facts, though it has no fault: ${fault.message}` }) }
  } catch (error) {
    if (!(error instanceof HclError)) throw error
    return {}
  }
}

/**
 * Theirs merges blocks of a type with different numbers of labels, and an argument of that name, so that they cannot be told apart.
 */
const isMerged = ({ attributes, blocks }: Body): boolean => {
  const labels = new Map<string, number>()
  return blocks.some(({ type, labels: own, body }) => {
    const known = labels.get(type) ?? own.length
    labels.set(type, known)
    return known !== own.length || attributes.has(type) || isMerged(body)
  })
}

/** Theirs writes such a number out, digit by digit: 1e23456789 takes it most of an hour. */
const isEndless = (text: string): boolean => /\de[+-]?\d{5}/i.test(text)

const readByTheirs = async (text: string): Promise<{ [name: string]: Json } | undefined> => {
  if (isEndless(text)) return undefined
  return await oracle(text).catch((error: unknown) => {
    if (error instanceof WebAssembly.RuntimeError) throw error
    return undefined
  })
}

const compared = (body: Body | undefined, theirs: { [name: string]: Json } | undefined): string | undefined => {
  if (theirs === undefined) return undefined // operators and names inside values are left to the tool
  if (body === undefined) return 'is refused, and accepted by theirs'
  if (isMerged(body)) return undefined
  // what is unknown to us may well be known to them
  return differences(body, theirs).find((one) => !one.includes(': undefined and '))
}

/** What is wrong with how a text is read: a crash, a hang, or another meaning than HashiCorp's parser finds in it. */
export const judgeHcl = async (text: string): Promise<Verdict> => {
  const begun = performance.now()
  let read: ReturnType<typeof readAll>
  try {
    read = readAll(text)
  } catch (error) {
    return { accepted: false, wrong: `crashes the reader: ${error}` }
  }
  const ms = performance.now() - begun
  const theirs = await readByTheirs(text)
  const slow = ms > HANG_MS ? `takes ${Math.round(ms)} ms` : undefined
  const wrong = slow ?? read.wrong ?? compared(read.body, theirs)
  return { accepted: read.body !== undefined && theirs !== undefined, ...(wrong === undefined ? {} : { wrong }) }
}

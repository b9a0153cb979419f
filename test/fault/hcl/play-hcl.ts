import { createDice } from '../fuzz/dice.ts'
import { hclCorpus } from './corpus.ts'
import { judgeHcl } from './judge.ts'
import { mutated } from './mutate.ts'

export type HclReport = { inputs: number; seed: number; accepted: number; broken: string[] }

const MOST_BROKEN = 50

/** Reads mutated texts and judges how; each has a seed of its own, so a finding can be had again without the others. */
export const playHcl = async (
  { inputs, seed }: { inputs: number; seed: number },
  tell: (line: string) => void = () => {},
): Promise<HclReport> => {
  const corpus = hclCorpus()
  const report: HclReport = { inputs, seed, accepted: 0, broken: [] }
  for (let n = 0; n < inputs; n += 1) {
    // half a surrogate pair is in no file
    const text = mutated(corpus, createDice(seed + n)).toWellFormed()
    const { accepted, wrong } = await judgeHcl(text)
    if (accepted) report.accepted += 1
    if (wrong !== undefined && report.broken.length < MOST_BROKEN)
      report.broken.push(`seed ${seed + n}: ${wrong}\n${JSON.stringify(text.slice(0, 2000))}`)
    if (n % 50_000 === 49_999) tell(`${n + 1} inputs, ${report.broken.length} wrong`)
  }
  return report
}

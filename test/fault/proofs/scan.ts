import { join, relative, resolve } from 'node:path'
import { playScan } from '../scan/play-scan.ts'
import { installedTool } from '../scan/tool-verdicts.ts'
import type { Proof } from './proof.ts'

// what is kept of it names no machine's folders
const fixtures = relative(process.cwd(), join(import.meta.dirname, '../../fixtures'))

/** Whatever the tool's own parser reads of a checkout, the scanner reads. */
export const scan: Proof = {
  usage: `scan [DIR] [--json]

Scans any checkout (test/fixtures), and asks terraform or tofu, whichever is on the path, about each .tf and .tfvars file in
it: 'fmt -check' refuses what it cannot read. No file that it reads may be refused. Also told: files that only the tool refuses, as operators
and names inside values are left to it, and how long the scan took beside 'fmt -check' of the whole. --json: a report as the last line.
`,
  minutes: 60,
  options: [],
  flags: ['json'],
  takes: 'DIR',
  prove: async (_ground, { DIR = fixtures }, flags) => {
    const tool = await installedTool()
    if (tool === undefined) {
      console.error(
        'neither terraform nor tofu is on the path: one of them must be installed, since its parser is what the scan is compared with',
      )
      return false
    }
    const report = { ...(await playScan(resolve(DIR), tool)), dir: DIR }
    const { files, stacks, stricter, looser, refusedByBoth, scanMs, formatMs } = report
    for (const one of stricter) console.error(`only we refuse ${one}`)
    for (const one of looser) console.error(`only ${tool} refuses ${one}`)
    if (flags.has('json')) console.log(JSON.stringify({ proof: 'scan', ...report }))
    else
      console.log(
        `${files} files, ${stacks} stacks: scanned in ${scanMs} ms, fmt -check takes ${formatMs} ms; ${stricter.length} only we refuse, ${looser.length} only ${tool}, ${refusedByBoth} both`,
      )
    return stricter.length === 0
  },
}

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { plantedFaults } from '../planted/faults.ts'
import { copyTree, plant } from '../planted/plant.ts'
import { runTest } from '../planted/run-test.ts'
import type { Proof } from './proof.ts'

/** A proof that finds nothing must be one that would: a build with a fault of each kind is caught by the one that is there for it. */
export const planted: Proof = {
  usage: `planted [--only NAME] [--json]

Copies the source, plants one fault after another in it (no order of locks, no dedupe, a lost timer, a quadratic expression, an unfair lane), and
runs the test that is there for it: it must fail, and say why. In the copy without a fault it must pass. --json: the last line is a report.
`,
  minutes: 60,
  options: ['only'],
  flags: ['json'],
  prove: async ({ dataDir }, { only = '' }, flags) => {
    const tell = (line: string): void => (flags.has('json') ? console.error(line) : console.log(line))
    const tree = join(dataDir, 'planted')
    await mkdir(tree)
    await copyTree(tree)
    const caught: Record<string, string> = {}
    const broken: string[] = []
    for (const fault of plantedFaults.filter(({ name }) => name.includes(only))) {
      const sound = await runTest(tree, fault.test)
      tell(`${fault.test} without a fault: ${sound.passed ? 'passes' : 'fails'}, ${sound.seconds} s`)
      if (!sound.passed) broken.push(`${fault.test} fails without a fault: ${sound.output.slice(-2000)}`)
      const takeOut = await plant(tree, fault)
      const { passed, output, seconds } = await runTest(tree, fault.test)
      await takeOut()
      // long lines of a test's output are broken
      const isCaught = !passed && fault.says.test(output.replaceAll(/\s+/g, ' '))
      tell(`${fault.name}: ${isCaught ? `caught by ${fault.test}` : 'not caught'}, ${seconds} s`)
      if (isCaught) caught[fault.name] = fault.test
      else broken.push(`${fault.name} is not caught by ${fault.test}: ${passed ? 'it passes' : output.slice(-2000)}`)
    }
    for (const line of broken) tell(line)
    console.log(JSON.stringify({ proof: 'planted', caught, broken: broken.map((line) => line.slice(0, 300)) }))
    return broken.length === 0
  },
}

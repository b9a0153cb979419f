import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { configFileName, defaultConfig } from '#domain/config/config-file.ts'
import { isWebAddress } from '#domain/texts/markdown.ts'
import { Problem } from '#errors.ts'
import { directoryAt, openCheckout } from '../checkout/checkout.ts'
import { askGit } from '../checkout/git.ts'
import { readText } from '../checkout/repo-config.ts'
import { scanCheckout } from '../checkout/scan-checkout.ts'
import { type Context, defineCommand, usageProblem } from '../command.ts'
import { exit } from '../exit.ts'
import { findTools, type Tools } from '../init/find-tools.ts'
import { type Found, firstConfig } from '../init/first-config.ts'
import { nextSteps } from '../init/next-steps.ts'
import { shippedWorkflow, shippedWorkflows, workflowPath } from '../workflows/shipped.ts'

type File = { path: string; text: string }

/** What became, or would become, of a file: `same` is there already with this text, `left` is there and differs. */
type Outcome = { path: string; outcome: 'written' | 'same' | 'left' }

const says = {
  written: 'written',
  same: 'is there already',
  left: 'differs from what this version writes, and is left as it is',
} as const

/** The stacks that the defaults find, and their tools. */
const find = async (root: string, context: Context): Promise<Found & Tools> => {
  const checkout = await openCheckout(root)
  const { graph } = await scanCheckout({ checkout, config: defaultConfig, isCached: true }, context.environment)
  const stacks = graph.stacks.filter(({ external }) => !external)
  const pinned = await askGit(
    root,
    'ls-files',
    '-z',
    '--cached',
    '--others',
    '--',
    ...['.opentofu-version', '*/.opentofu-version', '.terraform-version', '*/.terraform-version'],
  )
  return { stacks, ...findTools(stacks, (pinned ?? '').split('\0')) }
}

/** `3 stacks: 2 of terraform, 1 of tofu` */
const counted = ({ stacks, counts }: Found & Tools): string => {
  const parts = Object.entries(counts).map(([tool, count]) => `${count} of ${tool}`)
  return `${stacks.length} ${stacks.length === 1 ? 'stack' : 'stacks'}${parts.length === 0 ? '' : `: ${parts.join(', ')}`}`
}

const checkAction = (action: string | undefined): void => {
  if (action === undefined || /^[\w.-]+\/[\w.-]+(\/[\w./-]+)?@[\w./-]+$/.test(action)) return
  throw usageProblem('init', `--action=${action}: expected owner/repository@version, such as acme/svc@v1`)
}

const checkAddress = (url: string | undefined): void => {
  if (url === undefined || isWebAddress(url)) return
  throw usageProblem('init', `--url=${url}: expected the service's address, such as https://svc.example.com`)
}

/** Writes a file if there is none. A file that appears in between is left, too. */
const place = async (root: string, { path, text }: File, isDry: boolean): Promise<Outcome> => {
  const there = await readText(join(root, path))
  if (there !== undefined) return { path, outcome: there === text ? 'same' : 'left' }
  if (isDry) return { path, outcome: 'written' }
  try {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text, { flag: 'wx' })
    return { path, outcome: 'written' }
  } catch (error) {
    throw new Problem('invalid', `writing ${path}: ${error instanceof Error ? error.message : error}`)
  }
}

export const init = defineCommand({
  name: 'init',
  usage: '[dir] [flags]',
  text: `Writes .github/workflows/svc-plan.yml and svc-run.yml, and an svc.yml that names what it found and explains the rest.
Existing files are not changed. With --action the workflows get svc from that action, which is svc's own repository at a release;
without it they have a line that says where it goes. With the service's address svc.yml names its schema, by which editors
complete and check the file. At the end it lists what is left for a person to do.`,
  flags: {
    action: { says: 'the action that puts svc on the PATH of jobs', value: 'OWNER/REPO@VERSION' },
    url: { says: "the service's address (SVC_URL)", value: 'URL' },
    'dry-run': { says: 'print what would be written, and write nothing' },
  },
  operands: 1,
  run: async ({ values, operands: [dir] }, context) => {
    const { output, cwd, environment } = context
    const { action, 'dry-run': isDry = false, url = environment.serviceUrl } = values
    checkAction(action)
    checkAddress(url)
    const root = dir === undefined ? (await openCheckout(cwd)).root : await directoryAt(resolve(cwd, dir))
    output.progress(`scanning ${root}`)
    const found = await find(root, context)
    const texts = await Promise.all(shippedWorkflows.map((name) => shippedWorkflow(name, action)))
    const files: File[] = [
      ...shippedWorkflows.map((name, index) => ({ path: workflowPath(name), text: texts[index] ?? '' })),
      { path: configFileName, text: firstConfig({ ...found, serviceUrl: url }) },
    ]
    const outcomes: Outcome[] = []
    for (const file of files) outcomes.push(await place(root, file, isDry))
    const steps = nextSteps({ hasAction: action !== undefined, ...found })
    output.answer({
      ...{ dry_run: isDry, tool: found.tool, stacks: found.stacks.length, tools: found.counts },
      ...{ files: outcomes, next_steps: steps },
    })
    output.print(`found ${counted(found)}\n`)
    for (const [index, { path, outcome }] of outcomes.entries()) {
      output.print(`${path}: ${isDry && outcome === 'written' ? 'would be written' : says[outcome]}\n`)
      if (isDry && outcome === 'written') output.print(`\n${files[index]?.text ?? ''}\n`)
    }
    output.print(`\nNext:\n${steps.map((step, index) => `${index + 1}. ${step}\n`).join('')}`)
    return exit.ok
  },
})

import { resolve } from 'node:path'
import { nearest } from '#domain/edit-distance.ts'
import { type Checkout, directoryAt, openCheckout } from '../checkout/checkout.ts'
import { readRepoConfig } from '../checkout/repo-config.ts'
import { scanCheckout } from '../checkout/scan-checkout.ts'
import { tellScanWarnings } from '../checkout/tell-warnings.ts'
import { defineCommand, usageProblem } from '../command.ts'
import { exit } from '../exit.ts'
import { listingFlags, listStacks } from '../listing/list-stacks.ts'
import { type GraphFormat, graphFormats, isGraphFormat, printGraph } from '../print/print-graph.ts'

const formats = Object.keys(graphFormats)

const formatNamed = (name: string): GraphFormat => {
  if (isGraphFormat(name)) return name
  const meant = nearest(name, formats)
  throw usageProblem(
    'scan',
    `--format=${name}: expected ${formats.join(', ')}${meant ? `; did you mean ${meant}?` : ''}`,
  )
}

/** A named directory is taken for a whole repository. Without one it is the checkout that the current directory is in. */
const checkoutOf = async (cwd: string, dir: string | undefined): Promise<Checkout> => {
  if (dir === undefined) return await openCheckout(cwd)
  const root = await directoryAt(resolve(cwd, dir))
  const { head } = await openCheckout(root)
  return { root, head }
}

export const scan = defineCommand({
  name: 'scan',
  usage: '[dir] [flags]',
  text: `Reads the .tf and .tofu files, and Terragrunt's, below dir (the checkout's top directory when left out) by the rules of its svc.yml,
after the default branch's discover.command, if it has one. With --trust-config the checkout's own is run.
Files that the code reads are watched where their paths are known before a run, also as arguments of modules, and so is any string
that begins with \${path.module}, \${path.root} or \${path.cwd} and leads out of the directory. A path that functions such as \`format\`
and \`join\` put together is not seen, nor warned of: name it in watch_paths.
The format is a table on a terminal and JSON elsewhere. Warnings go to standard error, the first few of each kind; --json prints the
graph with all of them, --format=json the graph alone.`,
  flags: {
    format: { says: `how to print it: ${formats.join(', ')}`, value: 'FORMAT', among: formats },
    repo: { says: "the repository's name, if neither job nor remote says it", value: 'OWNER/NAME' },
    sha: { says: 'commit of the graph; the one checked out when left out', value: 'SHA' },
    ...listingFlags,
    'no-cache': { says: 'parse every file again, whatever earlier scans found' },
  },
  operands: 1,
  run: async ({ values, operands }, { environment, output, cwd }) => {
    const format = output.isJson ? 'json' : formatNamed(values.format ?? (output.isTerminal ? 'table' : 'json'))
    const checkout = await checkoutOf(cwd, operands[0])
    output.progress(`scanning ${checkout.root}`)
    const config = await readRepoConfig(checkout.root, output)
    const { repo, sha } = values
    const listed = await listStacks({ root: checkout.root, config }, values, { environment, output, cwd })
    const wanted = { checkout, config, listed, repo, sha, isCached: values['no-cache'] !== true }
    const { graph, warnings } = await scanCheckout(wanted, environment)
    tellScanWarnings(output, warnings)
    if (output.isJson) output.answer({ ...graph, warnings })
    else output.print(printGraph(graph, format))
    return exit.ok
  },
})

import { z } from 'zod'
import type { Graph } from '#domain/graph/graph.ts'
import { Problem } from '#errors.ts'
import type { Context } from '../command.ts'
import type { Stop } from '../job/stop.ts'
import { versionFits } from '../tool/prepare-stack.ts'
import { runProgram } from '../tool/run-program.ts'
import { type Finding, findingsOf } from './finding.ts'

const { ok, warn, fail } = findingsOf('tool')

const Version = z.object({ terraform_version: z.string() })

/** Asking for a version changes nothing, so a signal may end both this process and the tool. */
const noStop: Stop = { reason: () => undefined, passTo: () => () => {}, pause: async () => {}, release: () => {} }

const versionOf = async (command: string, { environment, cwd }: Context): Promise<string | undefined> => {
  const env = { ...environment.all, CHECKPOINT_DISABLE: '1' }
  const { code, stdout } = await runProgram({ command, args: ['version', '-json'], cwd, env, stop: noStop })
  try {
    const parsed = Version.safeParse(code === 0 ? JSON.parse(stdout) : undefined)
    return parsed.success ? parsed.data.terraform_version : undefined
  } catch {
    return undefined
  }
}

const pinnedOtherwise = (stacks: Graph['stacks'], version: string): Finding[] => {
  const pins = [...new Set(stacks.flatMap(({ tool_version: pin }) => (pin === undefined ? [] : [pin])))]
  return pins
    .filter((pin) => !versionFits(pin, version))
    .map((pin) => {
      const [first, ...others] = stacks.filter(({ tool_version: own }) => own === pin)
      const more = others.length === 0 ? '' : ` and ${others.length} more`
      const todo = `install ${pin}: a plan goes on with another version, an apply does not`
      return warn(`${first?.key}${more} want version ${pin}, but ${version} is installed`, todo)
    })
}

const examineOne = async (
  tool: string,
  stacks: Graph['stacks'],
  program: string,
  context: Context,
): Promise<Finding[]> => {
  const needs = stacks.length === 1 ? `${stacks[0]?.key} needs it` : `${stacks.length} stacks need it`
  try {
    const version = await versionOf(program, context)
    if (version === undefined)
      return [
        warn(
          `${program} does not print its version`,
          `check whether \`${program} version -json\` answers as ${tool} does`,
        ),
      ]
    const wrong = pinnedOtherwise(stacks, version)
    return wrong.length > 0 ? wrong : [ok(`${program} is ${version}`)]
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return [
      fail(
        `${program} cannot be started, and ${needs}`,
        `install ${tool} in a step before svc, or name it in SVC_TOOL`,
      ),
    ]
  }
}

/** Examines the tools that plan the stacks of a graph; `named` (SVC_TOOL, --tool) replaces all of them. */
export const examineTools = async (graph: Graph, named: string | undefined, context: Context): Promise<Finding[]> => {
  const own = graph.stacks.filter(({ external }) => !external)
  const tools = [...new Set(own.map(({ tool }) => tool ?? 'terraform'))]
  const found = tools.map((tool) => {
    const stacks = own.filter((stack) => (stack.tool ?? 'terraform') === tool)
    return examineOne(tool, stacks, named ?? tool, context)
  })
  return (await Promise.all(found)).flat()
}

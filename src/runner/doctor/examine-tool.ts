import type { Graph } from '#domain/graph/graph.ts'
import { Problem } from '#errors.ts'
import type { Context } from '../command.ts'
import type { Stop } from '../job/stop.ts'
import type { ToolName } from '../scan/facts/directories.ts'
import { dialectOf, tooOld } from '../tool/dialect.ts'
import { versionFits } from '../tool/prepare-stack.ts'
import { runProgram } from '../tool/run-program.ts'
import { toolNamed } from '../tool-named.ts'
import { type Finding, findingsOf } from './finding.ts'

const { ok, warn, fail } = findingsOf('tool')

/** Asking for a version changes nothing, so a signal may end both this process and the tool. */
const noStop: Stop = { reason: () => undefined, passTo: () => () => {}, pause: async () => {}, release: () => {} }

const versionOf = async (
  tool: ToolName,
  command: string,
  { environment, cwd }: Context,
): Promise<string | undefined> => {
  const env = { ...environment.all, CHECKPOINT_DISABLE: '1' }
  const { args, read } = dialectOf(tool).version
  const { code, stdout } = await runProgram({ command, args, cwd, env, stop: noStop })
  return code === 0 ? read(stdout) : undefined
}

/** Terragrunt runs another tool, OpenTofu if it finds both. */
const examineInner = async (context: Context): Promise<Finding[]> => {
  const { all } = context.environment
  const named = all.TG_TF_PATH === undefined ? ['tofu', 'terraform'] : [all.TG_TF_PATH]
  for (const program of named) {
    const version = await versionOf(toolNamed(program), program, context).catch(() => undefined)
    if (version !== undefined) return [ok(`terragrunt finds ${program}, which is ${version}`)]
  }
  const todo = 'install tofu or terraform as well, or name it in TG_TF_PATH or terraform_binary'
  return [warn(`terragrunt is there, but not what it runs: ${named.join(' or ')}`, todo)]
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
  tool: ToolName,
  stacks: Graph['stacks'],
  program: string,
  context: Context,
): Promise<Finding[]> => {
  const needs = stacks.length === 1 ? `${stacks[0]?.key} needs it` : `${stacks.length} stacks need it`
  const kind = tool === 'terragrunt' ? tool : toolNamed(program)
  try {
    const version = await versionOf(kind, program, context)
    if (version === undefined)
      return [
        warn(
          `${program} does not print its version`,
          `check whether \`${program} ${dialectOf(kind).version.args.join(' ')}\` answers as ${tool} does`,
        ),
      ]
    const old = tooOld(kind, program, version)
    if (old !== undefined) return [fail(`${old}, and ${needs}`, "install a newer one in a step before svc's")]
    const wrong = pinnedOtherwise(stacks, version)
    const own = wrong.length > 0 ? wrong : [ok(`${program} is ${version}`)]
    return kind === 'terragrunt' ? [...own, ...(await examineInner(context))] : own
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

import { Problem } from '#errors.ts'
import { type Context, defineCommand } from '../command.ts'
import { changesOk, type ExitCode, exit, forgiving } from '../exit.ts'
import { addSummary, setOutputs } from '../output/step-files.ts'
import { baseView, type Gathered, gather, type ResolveFlags } from '../resolve/gather.ts'
import { groupMatrix } from '../resolve/group-matrix.ts'
import { localAnswer } from '../resolve/local-answer.ts'
import { matrixEntries } from '../resolve/matrix-entries.ts'
import { type PlannedEvent, readPlannedEvent } from '../resolve/planned-event.ts'
import { type Registered, register } from '../resolve/register.ts'
import { printResolution, resolutionSummary } from '../resolve/show-resolution.ts'
import { reachService, serviceFlags, tellNoToken } from '../service/reach-service.ts'
import type { Resolved } from '../service/resolved.ts'

/** A job's outputs together may have 1 MB, counted as UTF-16 (docs.github.com, 'Workflow syntax', jobs.<job_id>.outputs). */
const MAX_OUTPUT_CHARS = 512 * 1024

const prNumberOf = (flag: string | undefined, event: PlannedEvent | undefined): number => {
  const number = flag === undefined ? event?.number : Number(flag)
  if (number === undefined)
    throw new Problem(
      'invalid',
      'svc resolve is for a job of a pull_request or merge_group event: this is not one, and --pr is not given',
    )
  if (Number.isInteger(number) && number > 0) return number
  throw new Problem('invalid', `--pr=${flag}: expected the number of a pull request`)
}

const matrixJson = (include: readonly object[]): string => {
  const text = JSON.stringify({ include })
  if (text.length <= MAX_OUTPUT_CHARS) return text
  throw new Problem(
    'invalid',
    `the matrix of ${include.length} jobs has ${text.length} characters, and a job's outputs may have ${MAX_OUTPUT_CHARS}: split the pull request, or restrict it with --stack`,
  )
}

/** Without the service: the client's own answer. */
const ownAnswer = async (gathered: Gathered, context: Context): Promise<Resolved> =>
  localAnswer({ ...gathered, base: await baseView(gathered, context) })

const tell = async (
  gathered: Gathered,
  { runId, runUrl, answer }: Registered & { answer: Resolved },
  { environment, output }: Context,
): Promise<ExitCode> => {
  const hasCycles = answer.cycles !== undefined && answer.cycles.length > 0
  const include = hasCycles ? [] : groupMatrix(matrixEntries(answer, gathered.graph, gathered.baseConfig))
  const matrix = matrixJson(include)
  printResolution(output, answer)
  if (include.length < answer.affected.length && !hasCycles)
    output.print(`${answer.affected.length} stacks in ${include.length} jobs, since a matrix may have no more\n`)
  if (runUrl !== undefined) output.print(`${runUrl}\n`)
  output.answer({ ...answer, ...(runId === undefined ? {} : { run_id: runId }), matrix: { include } })
  await addSummary(environment, resolutionSummary(answer, runUrl))
  await setOutputs(environment, {
    run_id: runId ?? '',
    matrix,
    any: String(include.length > 0),
    waves: JSON.stringify(answer.waves),
    unconfirmed: String(answer.unconfirmed === true),
    parallel: String(gathered.config.plan.parallel),
  })
  if (hasCycles) return exit.error
  return answer.affected.length > 0 ? exit.changes : exit.ok
}

const confirmed = async (
  values: ResolveFlags & { url?: string; audience?: string },
  context: Context,
): Promise<ExitCode> => {
  const { environment, output } = context
  const event = await readPlannedEvent(environment.github.eventPath)
  const reached = reachService(values, environment, output)
  if (reached.kind === 'no-token') {
    tellNoToken(output, event?.isFork)
    output.answer({ affected: [], waves: [], matrix: { include: [] }, cached: false, unconfirmed: true })
    const nothing = {
      run_id: '',
      matrix: matrixJson([]),
      any: 'false',
      waves: '[]',
      unconfirmed: 'true',
      parallel: '1',
    }
    await setOutputs(environment, nothing)
    return exit.ok
  }
  const prNumber = reached.kind === 'service' ? prNumberOf(values.pr, event) : undefined
  const gathered = await gather(values, event, context)
  const registered =
    reached.kind === 'service' && prNumber !== undefined
      ? await register(reached.service, gathered, prNumber, context)
      : { runId: undefined, runUrl: undefined, answer: undefined }
  const answer = registered.answer ?? (await ownAnswer(gathered, context))
  return await tell(gathered, { ...registered, answer }, context)
}

export const resolve = defineCommand({
  name: 'resolve',
  usage: '[flags]',
  text: `For a job of a pull_request or merge_group event, at a checkout of the head with all history (fetch-depth: 0). Sets the step's outputs
run_id, matrix (for fromJSON), any (whether there is anything to plan), waves, unconfirmed and parallel (how many jobs may
plan at once). More than 256 stacks are
grouped, several to a job. If the service cannot be reached, the client answers itself, unconfirmed. In a person's shell
nothing is registered. Of a merge group whose very files were planned for its pull request, nothing is planned again. Exits 0 when no stack is affected, 2 when some are.`,
  flags: {
    ...serviceFlags,
    pr: { says: "number of the pull request; the event's when left out", value: 'NUMBER' },
    sha: { says: "the head; the event's when left out", value: 'SHA' },
    base: { says: "the commit to compare with; the event's base, or origin/HEAD, when left out", value: 'COMMIT' },
    repo: { says: "the repository's name, if the job does not say it", value: 'OWNER/NAME' },
    stack: {
      says: 'restrict the run to this stack, those of this directory, or those with a tag (tag:TAG)',
      value: 'KEY',
      multiple: true,
    },
    'changes-ok': changesOk,
    'no-cache': { says: 'parse every file again, whatever earlier scans found' },
  },
  operands: 0,
  run: async ({ values }, context) => forgiving(await confirmed(values, context), values['changes-ok']),
})

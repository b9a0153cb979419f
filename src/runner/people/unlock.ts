import { UnlockResponse } from '#api/repositories/unlock.ts'
import { formatQualifiedKey, parseQualifiedKey } from '#domain/keys.ts'
import { type Context, defineCommand, usageProblem } from '../command.ts'
import { exit } from '../exit.ts'
import { shown } from '../print/table.ts'
import { segment } from '../service/service.ts'
import { apiFlags, apiFor } from './api.ts'
import { ago } from './cells.ts'
import { repositoryMeant } from './repository-meant.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

type Target = { path: string; body: { repo?: string; stack_key?: string }; label: string }

const targetOf = async (stack: string, repo: string | undefined, context: Context): Promise<Target> => {
  if (uuid.test(stack)) return { path: `/v1/stacks/${segment(stack)}/unlock`, body: {}, label: stack }
  const qualified = parseQualifiedKey(stack)
  if (qualified !== undefined && repo !== undefined && repo !== qualified.repo)
    throw usageProblem('unlock', `${stack} says its repository: leave out --repo=${repo}`)
  const key = qualified?.key ?? stack
  const of = qualified?.repo ?? (await repositoryMeant(repo, context))
  return { path: '/v1/unlock', body: { repo: of, stack_key: key }, label: formatQualifiedKey(of, key) }
}

const tell = ({ released }: UnlockResponse, label: string, { output }: Context): void => {
  for (const { run_id: run, pr_number: pull, taken_at: at } of released) {
    const holder = pull === undefined ? `run ${run ?? 'unknown'}` : `pull request #${pull}`
    const since = at === undefined ? '' : `, which took it ${ago(at, Date.now())}`
    output.print(`${output.paint('green', 'released')} ${shown(label)}: it was locked by ${holder}${since}\n`)
  }
  if (released.length === 0) output.print(`${shown(label)} was not locked: nothing is released\n`)
}

/** `svc unlock`. */
export const unlock = defineCommand({
  name: 'unlock',
  usage: 'STACK [--reason=TEXT] [flags]',
  text: `STACK is a key, owner/name//key, or the id of a stack. A key alone is of the repository given with --repo, or of the clone that you
are in. On a terminal it asks why if --reason is left out; Enter gives no reason. The reason is in the audit log, and the pull
request that held the lock gets a comment. The lock of the tool's own state is not touched. With --json it prints the API's own
answer to POST /v1/unlock.`,
  flags: {
    ...apiFlags,
    repo: { says: "the stack's repository, if neither its key nor the clone says it", value: 'OWNER/NAME' },
    reason: { says: 'why, for the audit log and for the holder of the lock', value: 'TEXT' },
    'force-state': { says: 'a job died during an apply: the holder is asked to check the lock of the state' },
  },
  operands: 1,
  among: [],
  run: async ({ values, operands: [stack] }, context) => {
    if (stack === undefined) throw usageProblem('unlock', 'STACK is missing: the key of a stack')
    const api = apiFor(values, context)
    const { path, body, label } = await targetOf(stack, values.repo, context)
    const reason = values.reason ?? (await context.output.ask(`Why is ${shown(label)} unlocked? `))
    const { content, raw } = await api.post(path, UnlockResponse, {
      ...body,
      ...(reason === undefined || reason === '' ? {} : { reason }),
      ...(values['force-state'] === true ? { force_state: true } : {}),
    })
    context.output.answer(raw)
    if (!context.output.isJson) tell(content, label, context)
    return exit.ok
  },
})

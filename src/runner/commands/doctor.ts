import { openCheckout, originOf } from '../checkout/checkout.ts'
import { type Context, defineCommand } from '../command.ts'
import { examineBackends } from '../doctor/examine-backend.ts'
import { examineConfiguration, examineHistory } from '../doctor/examine-checkout.ts'
import { examineKey } from '../doctor/examine-key.ts'
import { examineService } from '../doctor/examine-service.ts'
import { examineTools } from '../doctor/examine-tool.ts'
import { examineWorkflows } from '../doctor/examine-workflows.ts'
import type { Finding } from '../doctor/finding.ts'
import { exit } from '../exit.ts'
import type { Output } from '../output/output.ts'
import { serviceFlags } from '../service/reach-service.ts'

const paints = { ok: 'green', warn: 'yellow', fail: 'red', skip: 'dim' } as const

const show = (findings: readonly Finding[], output: Output): void => {
  for (const { check, status, says, todo } of findings) {
    output.print(`${output.paint(paints[status], status.padEnd(4))}  ${check}: ${says}\n`)
    if (todo !== undefined) output.print(`      → ${todo}\n`)
  }
}

const examine = async (
  values: { url?: string; audience?: string; tool?: string },
  context: Context,
): Promise<Finding[]> => {
  const { environment, cwd } = context
  const { serviceUrl, audience, idToken, isActions, tool } = environment
  const checkout = await openCheckout(cwd)
  const reaching = { url: values.url ?? serviceUrl, audience: values.audience ?? audience, idToken, isActions }
  const { repo } = await originOf(checkout.root, environment)
  const [history, { findings, graph }, workflows, service] = await Promise.all([
    examineHistory(checkout),
    examineConfiguration(checkout, context),
    examineWorkflows(checkout),
    examineService(reaching),
  ])
  const tools = graph === undefined ? [] : await examineTools(graph, values.tool ?? tool, context)
  const backends = graph === undefined ? [] : examineBackends(graph)
  // Where the service does not answer, nothing more is learnt by asking it with a key.
  const isThere = service.some(({ check, status }) => check === 'service' && status === 'ok')
  const key = isThere ? await examineKey(values, repo, context) : []
  return [history, ...findings, ...backends, ...tools, ...workflows, ...service, ...key]
}

export const doctor = defineCommand({
  name: 'doctor',
  usage: '[flags]',
  text: `Examines git's history here, svc.yml and its stacks, where they keep their state, the tool and its version, the two workflows
(svc-run.yml as the default branch has it: what jobs need, their permissions, svc's versions, and what differs from the shipped
ones), the service, its version and clock, in a job whether the service accepts the job's token, and with SVC_API_KEY whether it
takes the key and knows the repository. Each finding is ok, warn, fail, or skip for what cannot be examined from here, with what to do
about it. Changes nothing. Exits 0 when nothing is missing (warnings may be left), 1 otherwise.`,
  flags: {
    ...serviceFlags,
    tool: { says: 'program to plan with, a name or a path (SVC_TOOL)', value: 'PROGRAM' },
  },
  operands: 0,
  run: async ({ values }, context) => {
    context.output.progress('looking')
    const findings = await examine(values, context)
    const isWell = findings.every(({ status }) => status !== 'fail')
    context.output.answer({ ok: isWell, findings })
    show(findings, context.output)
    return isWell ? exit.ok : exit.error
  },
})

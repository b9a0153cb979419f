import { playJob } from '#test/helpers/runner.ts'
import type { World } from '#test/helpers/world.ts'
import { applying } from '#test/scenes/applying.ts'
import { openPull, query, send, stack } from '#test/scenes/scene.ts'
import { type Given, mark, type Place } from './fields.ts'

/** What is read at each place after the story, as text. */
export type Told = { given: Given; places: Readonly<Record<Place, string>> }

const summary = {
  ...{ adds: 61, changes: 62, destroys: 63, replaces: 64, imports: 65, moves: 66, output_changes: 67 },
  ...Object.fromEntries(['added', 'changed', 'destroyed', 'replaced'].map((list) => [list, [mark.address(list)]])),
}

const result = {
  ...{ status: 'failure', exit_code: 77, has_changes: true, summary, plan_text: `${mark.planText}\n`, truncated: true },
  ...{ plan_artifact: mark.artifact, job_url: mark.jobUrl, error_text: `${mark.error}\n`, duration_ms: 5 },
}

const graph = {
  stacks: [stack('network'), stack('data')],
  modules: [{ key: mark.module, kind: 'local', path: 'modules/MARK' }],
}

/** Sends every field of every request that somebody is to see, and reads all places where they may be seen. */
export const playShown = async (world: World, key: string): Promise<Told> => {
  const pull = await openPull(world, { 'network/main.tf': '# new\n', 'data/main.tf': '# new\n' })
  const job = playJob(world, pull)
  const given = { sha: pull.headSha(), baseSha: 'b'.repeat(40), number: pull.number }
  const opened = await job.post('/v1/runs', {
    ...{ repo: world.repository.fullName, sha: given.sha, base_sha: given.baseSha },
    ...{ pr_number: pull.number, mode: 'plan' },
  })
  const id = String(opened.body.run_id)
  const resolved = await job.upload(id, {
    ...{ graph, changed_paths: ['network/main.tf', 'data/main.tf'], base_sha: given.baseSha },
    config: { version: 1, tool: 'terraform', tool_version: mark.toolVersion },
  })
  const verdict = { status: 'warn', summary: mark.summary, details: mark.details, details_url: mark.detailsUrl }
  const judged = await job.post(`/v1/runs/${id}/stacks/network/checks/cost`, verdict)
  const reported = await job.report(id, 'network', result)
  const other = await job.report(id, 'data', { summary, plan_text: undefined })
  for (const { status, body } of [opened, resolved, judged, reported, other])
    if (status >= 300) throw new Error(JSON.stringify(body))
  await world.settled()
  const unlocked = await unlock(world, key)
  const read = async (path: string): Promise<string> => JSON.stringify((await send(world, key, path)).body)
  const { stacks, ...run } = (await send(world, key, `/v1/runs/${id}`)).body
  const checkRun = (name: string): string => {
    const { title, summary, text, detailsUrl } = pull.checkRuns().find((check) => check.name === name) ?? {}
    return JSON.stringify({ title, summary, text, detailsUrl })
  }
  return {
    given,
    places: {
      'the run': JSON.stringify(run),
      'the row': JSON.stringify(stacks.find((row: { key: string }) => row.key === 'network')),
      'the plan text': await planText(world, key, id),
      "the stack's check run": checkRun('svc/plan: network'),
      'the check run of a stack without a plan text': checkRun('svc/plan: data'),
      "the verdict's check run": checkRun('svc/cost: network'),
      'the comment of the pull request': pull
        .comments()
        .map(({ body }) => body)
        .join('\n'),
      'the graph': await read(`/v1/repos/acme/infra/graph?run=${id}`),
      'the answer to the upload': JSON.stringify(resolved.body),
      ...unlocked,
      'the audit log': await read('/v1/audit'),
    },
  }
}

const planText = async (world: World, key: string, id: string): Promise<string> => {
  const headers = { authorization: `Bearer ${key}` }
  return (await fetch(`${world.service.url}/v1/runs/${id}/stacks/network/text`, { headers })).text()
}

/** One lock is released by its stack's key, another by its id. */
const unlock = async (world: World, key: string) => {
  const { pull } = await applying(world, [['network', 'data']])
  const [row] = await query(world, "select id from stacks where key = 'data'")
  const byKey = { repo: 'acme/infra', stack_key: 'network', reason: mark.unlockReason, force_state: true }
  const byId = { reason: mark.stackReason, force_state: true }
  const answers = [
    await send(world, key, '/v1/unlock', byKey),
    await send(world, key, `/v1/stacks/${row?.id}/unlock`, byId),
  ]
  await world.settled()
  return {
    'the answer to the unlock': JSON.stringify(answers.map(({ body }) => body)),
    'the comment about the unlock': pull
      .comments()
      .map(({ body }) => body)
      .join('\n'),
  }
}

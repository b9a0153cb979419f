import { nudge } from '#test/helpers/nudge.ts'
import type { World } from '#test/helpers/world.ts'
import { driftRun } from '#test/scenes/drifting.ts'
import { query } from '#test/scenes/scene.ts'

const rules = {
  ...{ changes: 2, destroys: 1 },
  changed: ['aws_security_group_rule.office["10.20.0.0/16"]', 'module.firewall.aws_network_acl.main'],
  destroyed: ['aws_security_group_rule.opened_by_hand'],
}

const replicas = Array.from({ length: 12 }, (_, at) => `module.workers["eu-central-1"].aws_instance.worker[${at}]`)

/** Three stacks that drifted alike, one of them with an issue, one otherwise, and one whose check told counts alone. */
export const tellDrift = async (world: World): Promise<void> => {
  await driftRun(world, 'apps/worker', 'changes', { replaces: 12, replaced: replicas, adds: 1, added: ['aws_eip.nat'] })
  await driftRun(world, 'data/cache', 'changes', { changes: 2, output_changes: 1 })
  for (const key of ['platform/network', 'observability/alerts']) await driftRun(world, key, 'changes', rules)
  await query(world, `update repositories set drift_issues = true where id = ${world.repository.id} returning 1`)
  await driftRun(world, 'platform/identity', 'changes', rules)
  await nudge(world.pool)
  await world.settled()
}

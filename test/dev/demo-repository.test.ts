import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { demoChanges } from '#dev/demo-changes.ts'
import { changedFiles, demoFiles, type RepositoryFiles, writeFiles } from '#dev/demo-files.ts'
import { readRecordings, seedState } from '#dev/stand-in/recordings.ts'
import { installStandIn } from '#dev/stand-in-tool.ts'
import { parseRepoConfig } from '#domain/config/config-file.ts'
import { applicationEnv } from '#test/helpers/application-env.ts'

type Plan = { code: number | null; text: string; json: Record<string, unknown> }

const toolEnv = (path: string) =>
  applicationEnv({ PATH: path, TF_CLI_CONFIG_FILE: '/dev/null', CHECKPOINT_DISABLE: '1', TF_INPUT: '0' })

/** What the client runs on a stack: init, workspace, plan, show twice. */
const planWith = (path: string, dir: string, workspace?: string, varFile?: string): Plan => {
  const run = (...args: string[]) => spawnSync('terraform', args, { cwd: dir, env: toolEnv(path), encoding: 'utf8' })
  run('init', '-no-color')
  if (workspace) run('workspace', 'select', '-or-create', workspace)
  const varFiles = varFile ? [`-var-file=${varFile}`] : []
  const { status, stderr } = run('plan', '-detailed-exitcode', '-no-color', '-out=x.tfplan', ...varFiles)
  if (status !== 0 && status !== 2) throw new Error(stderr)
  return {
    code: status,
    text: run('show', '-no-color', 'x.tfplan').stdout,
    json: JSON.parse(run('show', '-json', 'x.tfplan').stdout),
  }
}

const layOut = async (t: Test) => {
  const root = t.testdir({})
  const stateDir = join(root, 'state')
  seedState(stateDir)
  installStandIn(join(root, 'bin'), stateDir)
  const files = await demoFiles(stateDir)
  const checkout = async (name: string, tree: RepositoryFiles) => {
    await writeFiles(join(root, name), tree)
    return join(root, name)
  }
  return { files, checkout, standIn: `${join(root, 'bin')}:${process.env.PATH}` }
}

t.test("the demo's repository is valid, and every change finds its place", async (t) => {
  const files = await demoFiles('/state')
  t.ok(parseRepoConfig(files.get('svc.yml')!).ok)
  t.match(files.get('platform/network/main.tf'), '"/state/platform/network.tfstate"')
  for (const change of Object.values(demoChanges)) {
    const changed = changedFiles(files, change)
    t.ok(parseRepoConfig(changed.get('svc.yml')!).ok, change.branch)
  }
  const lost = { branch: 'x', title: 'x', edits: [{ path: 'svc.yml', find: 'not there', replace: '' }] }
  t.throws(() => changedFiles(files, lost), { message: "change x: svc.yml must hold 'not there' exactly once" })
})

t.test('the stand-in plays back the plan of each stack as the demo changes it', async (t) => {
  const { files, checkout, standIn } = await layOut(t)
  const before = await checkout('before', files)
  const after = await checkout('after', changedFiles(files, demoChanges.label))
  const quiet = planWith(standIn, join(before, 'platform/network'))
  t.equal(quiet.code, 0)
  t.match(quiet.text, /^\nNo changes\./)
  const plan = planWith(standIn, join(after, 'apps/storefront'), 'staging', 'staging.tfvars')
  t.equal(plan.code, 2)
  t.match(
    plan.text,
    /cost_centre = "4711"[\s\S]+acme-staging-storefront|acme-staging-storefront[\s\S]+cost_centre = "4711"/,
  )
  t.match(plan.json, { resource_changes: [{ change: { actions: ['update'] } }] })

  const edited = new Map(files).set('platform/dns/main.tf', 'resource "terraform_data" "other" {}\n')
  const unknown = await checkout('unknown', edited)
  t.throws(() => planWith(standIn, join(unknown, 'platform/dns')), {
    message: /no plan of .+ was recorded .+ Install terraform/,
  })
})

/** Applies the plan that `planWith` saved. */
const applyWith = (path: string, dir: string) =>
  spawnSync('terraform', ['apply', '-no-color', 'x.tfplan'], { cwd: dir, env: toolEnv(path), encoding: 'utf8' })

t.test('the stand-in applies its plan once, and a plan made afterwards shows no changes', async (t) => {
  const { files, checkout, standIn } = await layOut(t)
  const sale = await checkout('sale', changedFiles(files, demoChanges.sale))
  for (const stack of ['platform/identity', 'platform/cluster', 'observability/alerts']) {
    const dir = join(sale, stack)
    t.match(planWith(standIn, dir), { code: 2 }, stack)
    t.match(applyWith(standIn, dir), { status: 0, stdout: /Apply complete! Resources: [1-9]|[1-9] changed/ })
    t.match(applyWith(standIn, dir), { status: 1, stderr: /^Error: Saved plan is stale$/m })
    t.match(planWith(standIn, dir), { code: 0, text: /^\nNo changes\./ })
    t.match(applyWith(standIn, dir), { status: 0, stdout: /Resources: 0 added, 0 changed, 0 destroyed/ })
  }
  t.match(planWith(standIn, join(sale, 'apps/worker'), undefined, 'production.tfvars'), { code: 0 }, 'what reads it')

  const rota = await checkout('rota', changedFiles(files, demoChanges.rota))
  const undone = planWith(standIn, join(rota, 'observability/alerts'))
  t.match(undone, { code: 2, text: /- after/ }, "another pull request's unmerged apply would be undone")
})

t.test('an impossible change fails in the apply and not in the plan, and can be fixed', async (t) => {
  const { files, checkout, standIn } = await layOut(t)
  const release = join(await checkout('release', changedFiles(files, demoChanges.release)), 'data/cache')
  t.match(planWith(standIn, release), { code: 2, text: /"2Gi" -> "16Gi"/ })
  t.match(applyWith(standIn, release), { status: 1, stderr: /No host of the zone has room for a node of 16Gi/ })
  const again = join(await checkout('again', changedFiles(files, demoChanges.releaseAgain)), 'data/cache')
  t.match(planWith(standIn, again), { code: 2, text: /"16Gi" -> "4Gi"/ }, 'the failed apply left its traces')
  t.match(applyWith(standIn, again), { status: 0, stdout: /2 changed/ })
  t.match(planWith(standIn, again), { code: 0 })
})

const installed = spawnSync('terraform', ['version'], { encoding: 'utf8' }).status === 0

t.test(
  'the recordings match the plans of the real tool',
  { skip: installed ? false : 'terraform is not installed' },
  async (t) => {
    const { files, checkout, standIn } = await layOut(t)
    const tree = await checkout('tree', changedFiles(files, demoChanges.kubernetes))
    // The stand-in goes first: it leaves nothing behind that disturbs the real tool.
    const [played, real] = [standIn, process.env.PATH!].map((path) => planWith(path, join(tree, 'platform/cluster')))
    t.equal(played!.text, real!.text)
    const changes = (plan: Plan) => JSON.stringify(plan.json.resource_changes)
    t.equal(changes(played!), changes(real!))
    const release = await checkout('release', changedFiles(files, demoChanges.release))
    const cache = join(release, 'data/cache')
    planWith(process.env.PATH!, cache)
    t.match(applyWith(process.env.PATH!, cache), {
      status: 1,
      stderr: /No host of the zone has room for a node of 16Gi/,
    })
    t.equal(readRecordings('/x').version.split('.')[0], '1')
  },
)

t.test('the templates are formatted', { skip: installed ? false : 'terraform is not installed' }, async (t) => {
  const templates = join(import.meta.dirname, '../../src/dev/demo-repository')
  t.equal(execFileSync('terraform', ['fmt', '-recursive', '-check', templates], { encoding: 'utf8' }), '')
})

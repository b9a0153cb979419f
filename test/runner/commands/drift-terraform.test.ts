import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import t from 'tap'
import { clientFor, directoryFor } from '../client.ts'
import { git, write } from '../job/planning.ts'

/* What terraform calls changes, and which of them are drift. */

const skip = spawnSync('terraform', ['version']).status !== 0 && 'terraform is not on the PATH'

const upstream = (host: string) => `output "host" {\n  value = "${host}"\n}\n`

/** Reads what upstream says once while planning, and once in a check, which terraform plans to read each time. */
const network = `resource "terraform_data" "it" {
  input = "one"
}
data "terraform_remote_state" "upstream" {
  backend = "local"
  config = { path = "../upstream/terraform.tfstate" }
}
output "seen" {
  value = data.terraform_remote_state.upstream.outputs.host
}
check "upstream" {
  data "terraform_remote_state" "checked" {
    backend = "local"
    config = { path = "../upstream/terraform.tfstate" }
  }
  assert {
    condition     = data.terraform_remote_state.checked.outputs.host == "a"
    error_message = "another host"
  }
}
`

t.test('drift as terraform shows it', { skip }, async (t) => {
  const root = directoryFor(t)
  git(root, 'init', '-q', '-b', 'main')
  write(root, { 'upstream/main.tf': upstream('a'), 'network/main.tf': network, 'quiet.tfrc': '' })
  git(root, 'add', '.')
  git(root, 'commit', '-q', '-m', 'one')
  const settings = {
    ...{ CHECKPOINT_DISABLE: '1', TF_INPUT: '0', TF_IN_AUTOMATION: '1' },
    TF_CLI_CONFIG_FILE: join(root, 'quiet.tfrc'),
  }
  const terraform = (stack: string, ...args: string[]) => {
    const env = { ...process.env, ...settings }
    const { status, stderr } = spawnSync('terraform', args, { cwd: join(root, stack), env, encoding: 'utf8' })
    if (status !== 0) throw new Error(stderr)
  }
  const apply = (stack: string) => terraform(stack, 'apply', '-auto-approve')
  for (const stack of ['upstream', 'network']) {
    terraform(stack, 'init')
    apply(stack)
  }
  const client = clientFor(t)
  const look = async () => {
    const env = { PATH: process.env.PATH, ...settings }
    const { code, json, stdout } = await client.run(['drift', '--stack', 'network', '--json'], { cwd: root, env })
    if (json === undefined) throw new Error(stdout)
    const [{ status, has_changes: hasChanges, exit_code: exitCode, summary }] = json.stacks
    return { code, status, hasChanges, exitCode, summary }
  }
  const plain = { adds: 0, changes: 0, destroys: 0, replaces: 0 }

  t.same(
    await look(),
    { code: 0, status: 'success', hasChanges: false, exitCode: undefined, summary: plain },
    'a check’s own data source would be read, for which terraform exits 2: no drift',
  )
  terraform('network', 'state', 'rm', 'terraform_data.it')
  t.match(await look(), { code: 2, hasChanges: true, exitCode: 2, summary: { adds: 1, added: ['terraform_data.it'] } })
  apply('network')
  write(root, { 'upstream/main.tf': upstream('b') })
  apply('upstream')
  t.match(
    await look(),
    { code: 2, hasChanges: true, exitCode: 2, summary: { ...plain, output_changes: 1 } },
    'an output that is no longer what others read is drift, whatever the cause',
  )
  // an apply that waits to be confirmed holds the lock of the state
  const { TF_INPUT: _, ...asking } = settings
  const applying = spawn('terraform', ['apply'], { cwd: join(root, 'network'), env: { ...process.env, ...asking } })
  for await (const text of applying.stdout) if (String(text).includes('Enter a value')) break
  t.match(await look(), { code: 2, hasChanges: true }, 'nor does it wait for an apply, or keep one waiting')
  applying.kill()
  await once(applying, 'exit')
})

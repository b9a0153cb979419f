import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { parseRepoConfig } from '#domain/config/config-file.ts'
import { clientFor, directoryFor } from '../client.ts'
import { git, write } from '../job/planning.ts'

const resource = 'resource "terraform_data" "a" {}\n'

const workflows = ['.github/workflows/svc-plan.yml', '.github/workflows/svc-run.yml']

const repositoryOf = (t: Test, files: Record<string, string>) => {
  const root = directoryFor(t)
  git(root, 'init', '-q', '-b', 'main')
  write(root, files)
  const client = clientFor(t)
  const run = (...args: string[]) => client.run(args, { cwd: root })
  const read = (path: string): string => readFileSync(join(root, path), 'utf8')
  return { root, run, read }
}

t.test('init writes both workflows and an svc.yml that names the stacks, and says what comes next', async (t) => {
  const { run, read } = repositoryOf(t, { 'network/main.tf': resource, 'a "b"\n#/main.tf': resource })
  const ran = await run('init', '--action=acme/svc@v1')
  t.match(ran, { code: 0, stderr: '' })
  for (const path of [...workflows, 'svc.yml']) t.match(ran.stdout, `${path}: written\n`)
  t.match(ran.stdout, /\nNext:\n1\. Look through svc\.yml.*\n(\d\. .*\n)*\d\. Run svc doctor/)
  t.equal(read(workflows[0]!).match(/^ {6}- uses: acme\/svc@v1$/gm)?.length, 2, 'where a job calls svc')
  t.equal(read(workflows[1]!).match(/^ {6}- uses: acme\/svc@v1$/gm)?.length, 1)
  for (const path of workflows) t.notMatch(read(path), /PATH goes here/)
  t.match(
    read('svc.yml'),
    /\ntool: terraform\n(.*\n)*# Directories that are stacks now:\n# \* "a \\"b\\"\\n#"\n# \* network\n/,
  )
  t.ok(parseRepoConfig(read('svc.yml')).ok)
})

t.test('the commented-out lines of svc.yml are valid, too', async (t) => {
  const { run, read } = repositoryOf(t, {
    'network/main.tf': resource,
    'app/main.tf': resource,
    '2nd/main.tf': resource,
  })
  await run('init')
  const text = read('svc.yml')
  const all = text.replaceAll(/^#(?! \S|$)/gm, '')
  for (const key of ['discover', 'ignore', 'stacks', 'apply', 'checks', 'drift', 'locks'])
    t.match(all, new RegExp(`^${key}:`, 'm'))
  t.match(parseRepoConfig(all), { ok: true })
})

t.test('with the address of the service svc.yml names its schema, and says how to where there is none', async (t) => {
  const { run, read, root } = repositoryOf(t, { 'network/main.tf': resource })
  await run('init', '--url=https://svc.acme.example/')
  t.match(
    read('svc.yml'),
    /^# yaml-language-server: \$schema=https:\/\/svc\.acme\.example\/svc\.schema\.json\n# How svc takes/,
  )
  rmSync(join(root, 'svc.yml'))
  await run('init')
  t.match(read('svc.yml'), /^# Editors complete/)
  t.notMatch(read('svc.yml'), /^#\s+yaml-language-server\s*:/m, 'no line that an editor would take for one')
  t.match(await run('init', '--url=nowhere'), { code: 1, stderr: /--url=nowhere: expected the service's address/ })
})

t.test('init changes no existing file', async (t) => {
  const { run, read } = repositoryOf(t, { 'svc.yml': 'version: 1\n', [workflows[0]!]: 'mine\n', 'a/main.tf': resource })
  const first = await run('init', '--json')
  t.match(first.json, { files: [{ outcome: 'left' }, { outcome: 'written' }, { path: 'svc.yml', outcome: 'left' }] })
  t.same([read('svc.yml'), read(workflows[0]!)], ['version: 1\n', 'mine\n'])
  const again = await run('init')
  t.equal(again.code, 0)
  t.match(again.stdout, /svc-plan\.yml: differs from what .*\n.*svc-run\.yml: is there already\n/)
})

t.test('--dry-run prints the files and writes none', async (t) => {
  const { root, run } = repositoryOf(t, { 'a/main.tofu': resource })
  const ran = await run('init', '--dry-run')
  t.match(
    ran.stdout,
    /svc-plan\.yml: would be written\n\n# Plans every stack .*svc\.yml: would be written\n\n.*\ntool: tofu\n/s,
  )
  t.match((await run('init', '--dry-run', '--json')).json, { dry_run: true, tool: 'tofu', stacks: 1 })
  t.notOk(existsSync(join(root, 'svc.yml')) || existsSync(join(root, '.github')))
})

t.test('the tool is OpenTofu if a file that it alone reads says so', async (t) => {
  const { run, read } = repositoryOf(t, { 'a/main.tf': resource, 'a/.opentofu-version': '1.9.0\n' })
  await run('init')
  t.match(read('svc.yml'), /^tool: tofu$/m)
})

t.test('the tools are counted: the one of most plain stacks is the default, and the others are named', async (t) => {
  const { run, read } = repositoryOf(t, {
    'a/main.tf': resource,
    'b/main.tf': resource,
    'new/.opentofu-version': '1.9.0\n',
    'new/c/main.tf': resource,
    'new/old/.terraform-version': '1.11.4\n',
    'new/old/main.tf': resource,
    'only/main.tofu': resource,
    'unit/terragrunt.hcl': 'inputs = {}\n',
    'unit/main.tf': resource,
  })
  const { json } = await run('init', '--dry-run', '--json')
  t.match(json, { tool: 'terraform', stacks: 6, tools: { terraform: 3, tofu: 2, terragrunt: 1 } })
  const ran = await run('init')
  t.match(ran.stdout, /^found 6 stacks: 3 of terraform, 2 of tofu, 1 of terragrunt\n/)
  t.match(ran.stdout, /Say `tool: tofu` in svc\.yml for the stacks that go by it, if they should: new\/c\.\n/)
  t.match(read('svc.yml'), /^tool: terraform$/m)
})

t.test('the tool is Terragrunt if all stacks are its units', async (t) => {
  const unit = 'terraform {\n  source = "../../modules/a"\n}\n'
  const { run, read } = repositoryOf(t, { 'live/a/terragrunt.hcl': unit, 'modules/a/main.tf': resource })
  t.match((await run('init')).stdout, /Set up terragrunt, with the terraform or tofu that it runs/)
  t.match(read('svc.yml'), /^tool: terragrunt$/m)
  t.match(read('svc.yml'), /^# \* live\/a$/m)
})

t.test('an action needs a version', async (t) => {
  const { run } = repositoryOf(t, { 'deep/er/read.me': '' })
  const odd = await run('init', '--action=acme/svc@v1\n- run: x')
  t.match(odd, { code: 1, stderr: /expected owner\/repository@version/ })
  t.match(await run('init', 'deeper'), { code: 1, stderr: /deeper: is not a directory/ })
  const elsewhere = await run('init', 'deep/er', '--json')
  t.match(elsewhere.json, { files: [{}, {}, { path: 'svc.yml', outcome: 'written' }] })
})

import t from 'tap'
import { applyingJob } from '../job/applying.ts'
import { planningJob } from '../job/planning.ts'

/* Files of values that are encrypted when a job checks them out, and what becomes known when a hook decrypts them. */

const gitCrypt = '\0GITCRYPT\0\u0001\u0002{"'
const value = 'ENC[AES256_GCM,data:bmV0,iv:eA==,tag:eA==,type:str]'
const sops = JSON.stringify({ key: value, sops: { version: '3.9.0' } })
const varFiles = 'version: 1\nstacks: [{ match: network, var_files: [../env/prod.tfvars] }]\n'

t.test('a file of git-crypt that nobody decrypted is named, and no plan is tried', async (t) => {
  const table = [
    ['terraform.tfvars', { 'network/terraform.tfvars': gitCrypt }],
    ['a.auto.tfvars.json', { 'network/a.auto.tfvars.json': gitCrypt }],
    ['../env/prod.tfvars', { 'env/prod.tfvars': gitCrypt, 'svc.yml': varFiles }],
  ] as const
  for (const [file, files] of table) {
    const job = await applyingJob(t, { files })
    const said = `${file} is encrypted by git-crypt, so terraform cannot read it: decrypt it in a step before svc's, or by before_init`
    const ran = await job.run(['plan'])
    t.equal(ran.code, 1)
    t.match(ran.stdout, `::error::network: ${said}`)
    t.match(job.results(), [{ status: 'failure', error_text: said }])
    t.equal((await job.apply()).code, 1)
    t.match(job.results()[1], { mode: 'apply', status: 'failure', error_text: said })
    t.notOk(['plan', 'apply'].some((verb) => job.verbs().includes(verb)))
  }
})

t.test('one of sops is warned of, and named where the plan fails', async (t) => {
  const job = await planningJob(t, {
    files: { 'env/prod.tfvars': sops, 'network/a.auto.tfvars.json': sops, 'svc.yml': varFiles },
  })
  const ran = await job.run(['plan'])
  t.equal(ran.code, 2)
  for (const file of ['a.auto.tfvars.json', '../env/prod.tfvars'])
    t.match(ran.stdout, `::warning::network: ${file} is encrypted by sops, so terraform is not given the values`)
  job.write({ 'network/exit': '1', 'network/stderr': 'Error: Argument or block definition required\n' })
  t.equal((await job.run(['plan'])).code, 1)
  const named = /ended with exit status 1: a\.auto\.tfvars\.json is encrypted by sops; .+: \.\.\/env\/prod\.tfvars is /
  t.match(job.results()[1], { error_text: named })
})

t.test('what a hook decrypts is read by the plan, and hidden in its errors', async (t) => {
  const names = ['of_file', 'of_hook']
  const declared = names.map((name) => `variable "${name}" {\n  sensitive = true\n}\n`).join('')
  const policy = `version: 1
stacks:
  - match: network
    before_init: ['echo "of_file = \\"decrypted-1\\"" > terraform.tfvars']
    env: { TF_VAR_of_hook: $OTHER }
`
  const job = await planningJob(t, {
    files: {
      'network/terraform.tfvars': gitCrypt,
      'network/variables.tf': declared,
      'network/exit': '1',
      'network/stderr': `Error: decrypted-1 ${btoa('decrypted-1')} set-by-hook ${btoa('set-by-hook')}; plain\n`,
    },
    policy,
  })
  t.equal((await job.run(['plan'], { env: { OTHER: 'set-by-hook' } })).code, 1)
  t.match(job.results(), [{ error_text: 'Error: *** *** *** ***; plain\n\nterraform plan ended with exit status 1' }])
})

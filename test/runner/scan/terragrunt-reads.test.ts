// biome-ignore-all lint/suspicious/noTemplateCurlyInString: HCL writes its templates like this
import t from 'tap'
import { scanTree } from './scan-tree.ts'

/** What a unit that says this watches, and what the scan warns of. Above it are env.yaml, common.yaml and envs.hcl. */
const scanUnit = async (test: { testdir: () => string }, said: string) => {
  const { stack, codes } = await scanTree(test, {
    'm/main.tf': 'resource "terraform_data" "x" {}\n',
    'live/env.yaml': 'a: 1\n',
    'live/common.yaml': 'b: 2\n',
    'live/envs.hcl': 'locals {\n  teams = { a = 1 }\n}\n',
    'live/one/terragrunt.hcl': `terraform {\n  source = "../../m"\n}\n${said}`,
  })
  return { watched: [...(stack('live/one')?.watch_paths ?? [])].sort(), codes }
}

const locals = (...all: string[]) => `locals {\n${all.map((one) => `  ${one}\n`).join('')}}\n`
const env = 'env = yamldecode(file(find_in_parent_folders("env.yaml")))'
const [envFile, commonFile] = ['live/env.yaml', 'live/common.yaml']

t.test('what is read is watched, though its value is not known', async (t) => {
  const cases: [said: string, watched: string[]][] = [
    [locals(env), [envFile]],
    [`${locals(env)}inputs = { for k, v in local.env : k => v }\n`, [envFile]],
    ['inputs = { for k, v in yamldecode(file(find_in_parent_folders("env.yaml"))) : k => v }\n', [envFile]],
    [
      'inputs = { x = [for i in range(2) : file("../env.yaml") if fileexists("../common.yaml")] }\n',
      [commonFile, envFile],
    ],
    [
      'inputs = merge([for f in ["env.yaml", "common.yaml"] : yamldecode(file(find_in_parent_folders(f)))]...)\n',
      [commonFile, envFile],
    ],
    ['inputs = merge({ for f, on in { "env.yaml" = 1 } : f => file("../${f}")... }...)\n', [envFile]],
    ['inputs = [for o in [{ f = "env" }] : [for e in ["yaml"] : file("../${o.f}.${e}")]]\n', [envFile]],
    ['inputs = merge(yamldecode(file("../env.yaml")), get_env("A")...)\n', [envFile]],
    [
      `${locals('cfg = read_terragrunt_config(find_in_parent_folders("envs.hcl"))')}inputs = { teams = [for t, n in local.cfg.locals.teams : t] }\n`,
      ['live/envs.hcl'],
    ],
    [
      'inputs = { x = "%{ if fileexists("../env.yaml") }${~ file("../common.yaml") ~}%{ else }b%{ endif }" }\n',
      [commonFile, envFile],
    ],
    [
      'inputs = { x = <<EOF\n%{ for k, v in yamldecode(file("../env.yaml")) ~}\n# ${k}\n%{ endfor ~}\nEOF\n}\n',
      [envFile],
    ],
    // a loop that is written otherwise than is read here hides nothing around it
    ['inputs = {\n  a = [for x in ["1"] : lower (x)]\n  c = yamldecode(file("../env.yaml"))\n}\n', [envFile]],
    ['inputs = { x = <<-EOF\n  ${join("", [\n    file("../env.yaml")])}\n  EOF\n}\n', [envFile]],
  ]
  for (const [said, watched] of cases) t.same(await scanUnit(t, said), { watched, codes: [] }, said)
})

t.test('a file that a loop names, and whose path is not known, is told of', async (t) => {
  const many = Array.from({ length: 200 }, (_, i) => `"${i}"`).join()
  for (const names of ['split(",", get_env("A"))', `[${many}]`])
    t.same(
      await scanUnit(t, `inputs = [for f in ${names} : file("../\${f}.yaml")]\n`),
      { watched: [], codes: ['terragrunt_unresolved'] },
      names,
    )
})

t.test('a name of a loop hides what else has the name', async (t) => {
  const said = `${locals('a = "../env.yaml"')}inputs = [for local in [{ a = "../common.yaml" }] : file(local.a)]\n`
  t.same(await scanUnit(t, said), { watched: [commonFile], codes: [] })
})

t.test('a local that is used nowhere, or asks whether there is a value, makes no template of a unit', async (t) => {
  for (const said of [
    locals('t = values.tags', env),
    `${locals('t = can(values.tags) ? values.tags : {}', env)}inputs = { for k, v in local.t : k => v }\n`,
  ])
    t.same(await scanUnit(t, said), { watched: [envFile], codes: [] }, said)
})

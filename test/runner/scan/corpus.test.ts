import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { scanDir } from './scan-tree.ts'

/*
 * Trees in the styles of public repositories, and what a person reads out of them. Units of Terragrunt have theirs beside:
 * terragrunt.test.ts.
 */

type Stack = [key: string, state: string, edges: string[], watches: string[]]

const corpus: { tree: string; style: string; stacks: Stack[]; modules: string[]; warned: string[] }[] = [
  {
    tree: 'workspaces',
    style: 'a workspace for each file of values, and the outputs of another directory in the same workspace',
    stacks: [
      [
        'components/app:production',
        'acme-state/env:/production/app.tfstate',
        ['reads_state components/network:production'],
        [],
      ],
      ['components/app:staging', 'acme-state/env:/staging/app.tfstate', ['reads_state components/network:staging'], []],
      [
        'components/dashboards:production',
        'acme-state/env:/production/dashboards.tfstate',
        ['depends_on components/app:production', 'depends_on components/app:staging'],
        [],
      ],
      ['components/network:production', 'acme-state/env:/production/network.tfstate', [], []],
      ['components/network:staging', 'acme-state/env:/staging/network.tfstate', [], []],
    ],
    modules: [],
    warned: [],
  },
  {
    tree: 'partial',
    style: 'empty backend blocks, with a file for each environment and a key for each directory',
    stacks: [
      [
        'environments/production/dns',
        'acme-production/environments/production/dns.tfstate',
        ['uses_module acme/infra//modules/zone'],
        ['environments/production/backend.hcl'],
      ],
      [
        'environments/production/mail',
        'acme-production/environments/production/mail.tfstate',
        ['reads_state environments/production/dns'],
        ['environments/production/backend.hcl'],
      ],
      [
        'environments/staging/dns',
        'acme-staging/environments/staging/dns.tfstate',
        ['uses_module acme/infra//modules/zone'],
        ['environments/staging/backend.hcl'],
      ],
      [
        'environments/staging/mail',
        'acme-staging/environments/staging/mail.tfstate',
        ['reads_state environments/staging/dns'],
        ['environments/staging/backend.hcl'],
      ],
    ],
    modules: ['acme/infra//modules/zone', 'acme/infra//modules/zone/record'],
    warned: [],
  },
  {
    tree: 'links',
    style: 'common files and a module by symbolic links, a directory with a second name, and a link to outside',
    stacks: [
      [
        'live/eu',
        'acme-state/eu.tfstate',
        ['uses_module acme/infra//vendor/bucket-2'],
        ['common/region.auto.tfvars', 'common/versions.tf', 'modules/bucket'],
      ],
      [
        'live/us',
        'acme-state/us.tfstate',
        ['uses_module acme/infra//vendor/bucket-2'],
        ['common/versions.tf', 'modules/bucket'],
      ],
    ],
    modules: ['acme/infra//vendor/bucket-2'],
    warned: ['link_unresolved live/us/hosts'],
  },
  {
    tree: 'states',
    style:
      "others' states by variables, locals, a module's argument and HCP Terraform; by for_each only a person knows",
    stacks: [
      [
        'app',
        'acme-state/app.tfstate',
        ['reads_state database', 'reads_state queue', 'uses_module acme/infra//modules/inputs'],
        [],
      ],
      ['batch', 'acme-state/batch.tfstate', ['depends_on queue'], []],
      ['database', 'acme-state/core/database.tfstate', ['reads_state network'], []],
      ['network', 'acme-state/core/network.tfstate', [], []],
      ['queue', 'app.terraform.io/acme/queue-live', [], []],
      ['report', 'acme-state/report.tfstate', [], []],
    ],
    modules: ['acme/infra//modules/inputs'],
    warned: ['remote_state_unresolved report/main.tf'],
  },
  {
    tree: 'generated',
    style: 'JSON as CDK for Terraform writes it, with its assets',
    stacks: [
      [
        'cdktf.out/stacks/app',
        'acme-state/cdk/app.tfstate',
        ['reads_state cdktf.out/stacks/network', 'uses_module acme/infra//cdktf.out/stacks/app/assets/service/0F'],
        [],
      ],
      ['cdktf.out/stacks/network', 'acme-state/cdk/network.tfstate', [], []],
    ],
    modules: ['acme/infra//cdktf.out/stacks/app/assets/service/0F'],
    warned: [],
  },
]

const fixtures = join(import.meta.dirname, '../../fixtures/corpus')

const configIn = (dir: string): string => {
  try {
    return readFileSync(join(dir, 'svc.yml'), 'utf8').replace('version: 1\n', '')
  } catch {
    return ''
  }
}

for (const { tree, style, stacks, modules, warned } of corpus)
  t.test(`${tree}: ${style}`, async (t) => {
    // a copy, without this repository's git around it
    const dir = t.testdir()
    cpSync(join(fixtures, tree), dir, { recursive: true, verbatimSymlinks: true })
    const { graph, warnings } = await scanDir(dir, configIn(dir))
    const edgesOf = (key: string): string[] =>
      graph.edges.flatMap(({ from, type, to }) =>
        from.kind === 'stack' && from.key === key ? `${type} ${to.key}` : [],
      )
    const found = graph.stacks.map(({ key, backend, watch_paths = [] }): Stack => {
      const state = [backend?.bucket, backend?.key].join('/')
      return [key, state, edgesOf(key).sort(), [...watch_paths].sort()]
    })
    t.same(found, stacks)
    t.same(
      graph.modules.map(({ key }) => key),
      modules,
    )
    t.same(
      warnings.map(({ code, file }) => `${code} ${file ?? ''}`),
      warned,
    )
  })

import t from 'tap'
import { checkoutOf, resource } from '../checkout.ts'
import { git, write } from '../job/planning.ts'

const files = {
  'svc.yml':
    'version: 1\nstacks:\n  - { match: app, depends_on: [network] }\n  - { match: jobs, instances: { a: {}, b: {} } }\n',
  'network/main.tf': `${resource('a')}\nmodule "vpc" {\n  source = "../modules/vpc"\n}\n`,
  'modules/vpc/main.tf': resource('a'),
  'app/main.tf': resource('a'),
  'jobs/main.tf': resource('a'),
}

t.test('a change is explained by its files, with the blocks that call the modules', async (t) => {
  const { root, run } = checkoutOf(t, files)
  git(root, 'checkout', '-q', '-b', 'change')
  write(root, { 'modules/vpc/main.tf': resource('b'), 'modules/vpc/new.tf': resource('c') })
  git(root, 'commit', '-q', '-m', 'two', 'modules/vpc/main.tf')
  const told = await run(['explain', 'network', '--base=main'])
  t.equal(told.code, 2, told.stderr)
  t.equal(
    told.stdout,
    'network is affected: modules/vpc/main.tf and modules/vpc/new.tf changed, which it uses as module "vpc" (network/main.tf:3)\n',
    'uncommitted files count',
  )
  t.match(await run(['explain', 'app/', '--base=main']), {
    code: 2,
    stdout:
      'app is affected: it depends on network, which uses modules/vpc as module "vpc" (network/main.tf:3), where modules/vpc/main.tf and modules/vpc/new.tf changed\n',
  })
  t.match((await run(['explain', 'network', '--base=main', '--json'])).json, {
    stacks: [
      {
        ...{ stack: 'network', affected: true, reasons: ['module'], changed_total: 2 },
        causes: [
          {
            ...{ reason: 'module', files: ['modules/vpc/main.tf', 'modules/vpc/new.tf'], total: 2 },
            steps: [
              { from: 'network', to_path: 'modules/vpc', type: 'uses_module', name: 'vpc', place: 'network/main.tf:3' },
            ],
          },
        ],
      },
    ],
  })
  const both = await run(['explain', 'jobs', '--changed=app/main.tf'])
  t.equal(both.code, 0)
  t.match(both.stdout, /^jobs:a is not affected: .*\n {2}app\/main\.tf: belongs to app\n.*\njobs:b is not affected/)
})

t.test('svc.yml of the base counts, as for svc resolve', async (t) => {
  const { root, run } = checkoutOf(t, files)
  write(root, { 'svc.yml': `${files['svc.yml']}tool_version: 1.9.0\n` })
  const told = await run(['explain', 'app', '--base=main'])
  t.equal(
    told.stdout,
    'app is affected:\n  svc.yml changed its settings\n  it depends on network, where svc.yml changed the settings of that\n',
  )
})

t.test('what is missing or unknown is told', async (t) => {
  const { run } = checkoutOf(t, files)
  const table = [
    [['explain'], /error: STACK is missing/],
    [['explain', 'netwrok', '--base=main'], /error: there is no stack netwrok: did you mean network\?\n/],
    [['explain', 'app', '--base=main', '--changed=a'], /error: --changed and --base exclude each other/],
    [['explain', 'app'], /error: git does not know origin\/HEAD here: give --base=COMMIT, or --changed=PATH/],
  ] as const
  for (const [args, says] of table) {
    const ran = await run(args)
    t.equal(ran.code, 1)
    t.match(ran.stderr, says)
  }
})

import t from 'tap'
import { workflowProblems } from '#runner/doctor/examine-workflow.ts'
import { workflowWarnings } from '#runner/doctor/workflow-warnings.ts'
import { shipped } from './shipped.ts'

t.test('a workflow may be changed, except for what the service needs', (t) => {
  const run = shipped('svc-run.yml')
  const plan = shipped('svc-plan.yml')
  const cases: ['svc-run.yml' | 'svc-plan.yml', string, RegExp[]][] = [
    ['svc-run.yml', run, []],
    ['svc-plan.yml', plan, []],
    ['svc-run.yml', run.replaceAll('ubuntu-latest', 'our-own').replace('name: svc run', 'name: Waves'), []],
    [
      'svc-run.yml',
      run.replace('run-name: svc', 'run-name: Wave'),
      [/^run-name must be svc \$\{\{ inputs\.mode \}\} /],
    ],
    ['svc-run.yml', run.replace(/^run-name: .*$/m, ''), [/^run-name must be/]],
    ['svc-run.yml', run.replace(/^ {6}wave: .*$/m, ''), [/^on\.workflow_dispatch\.inputs needs wave$/]],
    ['svc-run.yml', run.replace(/^ {2}id-token: write$/m, ''), [/^job stack needs permissions: id-token: write/]],
    ['svc-run.yml', run.replace(/environment: \$.*/, 'environment: prod'), [/^job stack needs environment/]],
    ['svc-run.yml', run.replace('run: svc report', 'run: echo'), [/^job stack needs a last step .* svc report/]],
    ['svc-run.yml', run.replace('exec svc run', 'make run'), [/^no job runs svc run$/]],
    [
      'svc-run.yml',
      run.replace('- uses: acme/svc@v1', '# The action that puts svc on the PATH goes here.'),
      [/^nothing puts svc on the PATH/],
    ],
    ['svc-plan.yml', plan.replace('  pull_request:', '  push:'), [/^on\.pull_request is missing$/]],
    ['svc-plan.yml', plan.replace('svc resolve', 'svc order'), [/^no job runs svc resolve$/]],
    [
      'svc-plan.yml',
      plan.replace('  SVC_URL: $', '  URL: $'),
      [/^nothing says where the service is: it needs env: SVC_URL: \$\{\{ vars\.SVC_URL \}\}$/],
    ],
    ['svc-plan.yml', 'jobs: [\n', [/^is not YAML: /]],
    ['svc-plan.yml', 'name: x\n', [/^is not a workflow: jobs: /]],
  ]
  for (const [name, text, says] of cases) {
    const problems = workflowProblems(name, text)
    t.equal(problems.length, says.length, problems.join('; '))
    for (const [index, one] of says.entries()) t.match(problems[index], one)
  }
  t.end()
})

t.test('what works, but not as well as it could, is a warning', async (t) => {
  const [plan, run] = [shipped('svc-plan.yml'), shipped('svc-run.yml')]
  const table: [name: string, text: string, says: RegExp[]][] = [
    ['svc-plan.yml', plan, []],
    ['svc-run.yml', run, []],
    [
      'svc-plan.yml',
      plan.replace('contents: read', 'checks: read'),
      [/^job resolve cannot check out a private/, /^job plan/],
    ],
    ['svc-plan.yml', plan.replace('fetch-depth: 0', 'fetch-depth: 1'), [/^job resolve resolves in a checkout without/]],
    ['svc-plan.yml', plan.replace('acme/svc@v1', 'acme/svc@v1.2'), [/^it takes svc in several versions: v1\.2, v1$/]],
    ['svc-run.yml', run.replace('  actions: read\n', ''), [/^job stack cannot download saved plans without/]],
    ['svc-run.yml', run.replace('jobs:', 'concurrency: waves\njobs:'), [/^its concurrency group keeps one waiting/]],
    ['svc-run.yml', 'no: workflow', []],
  ]
  for (const [name, text, says] of table) {
    const warnings = workflowWarnings(name, text, '1.4.0')
    t.equal(warnings.length, says.length, warnings.join('; '))
    for (const [index, one] of says.entries()) t.match(warnings[index], one)
  }
  t.match(workflowWarnings('svc-run.yml', run, '2.0.0'), [/^it takes svc v1, and this is 2\.0\.0$/])
  t.same(workflowWarnings('svc-run.yml', run, '0.1.0'), [])
})

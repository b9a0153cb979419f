import type { ReportedRun, ReportedStack, RunReport } from '#domain/run-report.ts'

/** Typical reports of runs, named after what they show; each has a golden comment of the same name. */

export const run = (fields: Partial<ReportedRun> = {}): ReportedRun => ({
  id: '0190b2f4-7a52-7000-8000-00000000000a',
  mode: 'plan',
  trigger: 'pull_request',
  status: 'planned',
  sha: '1a2b3c4d5e6f7a8b9c0d1a2b3c4d5e6f7a8b9c0d',
  pr_number: 12,
  waves: 3,
  current_wave: 0,
  html_url: 'https://svc.test/runs/0190b2f4-7a52-7000-8000-00000000000a',
  warnings: [],
  ...fields,
})

export const stack = (key: string, fields: Partial<ReportedStack> = {}): ReportedStack => ({
  stack_id: `id-of-${key.length}-${key.replaceAll('/', '-')}`,
  key,
  path: key,
  wave: 0,
  status: 'planned',
  reasons: ['changed'],
  summary: { adds: 1, changes: 0, destroys: 0, replaces: 0 },
  exit_code: 2,
  job_url: 'https://github.test/octo/infra/actions/runs/1/job/2',
  plan_text: planText(key),
  plan_output: 'full',
  checks: [],
  ...fields,
})

const planText = (key: string): string => `Terraform will perform the following actions:

  # terraform_data.${key.split('/').at(-1)} will be created
  + resource "terraform_data" "it" {
      + id = (known after apply)
    }

Plan: 1 to add, 0 to change, 0 to destroy.
`

const noop = { status: 'noop', exit_code: 0, summary: { adds: 0, changes: 0, destroys: 0, replaces: 0 } } as const

const network = stack('network', {
  summary: { adds: 2, changes: 1, destroys: 0, replaces: 0 },
  checks: [{ name: 'policy', status: 'pass' }],
})
const data = stack('data/postgres', {
  wave: 1,
  reasons: ['reads_state', 'dependent'],
  via: ['network'],
  environment: 'production',
  summary: { adds: 0, changes: 0, destroys: 1, replaces: 1, output_changes: 2 },
  checks: [
    { name: 'policy', status: 'fail', summary: 'deletion_protection must be on', details: 'rule 7\nrule 9' },
    { name: 'cost', status: 'warn', summary: '+310 $/month', details_url: 'https://cost.test/1' },
  ],
  locked_by: { run_id: 'other', pr_number: 9 },
})
const app = stack('app:eu', { wave: 2, reasons: ['module'], via: ['modules/service'], plan_text: undefined, ...noop })

const nasty = 'odd|`key`<!-- @octo *x* \\| #1 <b>'

export const reports: Record<string, RunReport> = {
  pending: { run: run({ status: 'pending', waves: 0 }), stacks: [] },
  'nothing affected': { run: run({ waves: 0 }), stacks: [] },
  planning: {
    run: run({ status: 'planning' }),
    stacks: [
      network,
      { ...data, status: 'planning', summary: undefined, plan_text: undefined, checks: [] },
      { ...app, status: 'pending', summary: undefined },
    ],
  },
  planned: {
    run: run({
      warnings: [{ code: 'stack_removed', message: 'legacy/vpn is removed by this pull request and was not planned.' }],
    }),
    stacks: [network, data, app],
  },
  'planned in one wave': { run: run({ waves: 1 }), stacks: [network, stack('dns')] },
  'locked by another': {
    run: run({ waves: 1 }),
    stacks: [stack('dns', { locked_by: { run_id: 'other', pr_number: 9 } })],
  },
  'no changes': { run: run({ waves: 1 }), stacks: [{ ...network, ...noop, plan_text: undefined, checks: [] }] },
  failed: {
    run: run({ status: 'failed' }),
    stacks: [
      stack('network', {
        status: 'failed',
        exit_code: 1,
        summary: undefined,
        plan_text: undefined,
        error_text: 'Error: Unsupported argument\n\n  on main.tf line 3',
      }),
      { ...data, status: 'unknown', summary: undefined, plan_text: undefined, checks: [], locked_by: undefined },
      { ...app, status: 'blocked', blocked_by: ['network', 'data/postgres'], summary: undefined },
    ],
  },
  unconfirmed: { run: run({ status: 'unconfirmed', waves: 1 }), stacks: [stack('network', { status: 'unconfirmed' })] },
  superseded: {
    run: run({ status: 'superseded' }),
    stacks: [network, { ...data, status: 'planning' }, { ...app, status: 'pending' }],
  },
  cycles: {
    run: run({
      status: 'failed',
      waves: 0,
      failure: { reason: 'cycles', cycles: ['a → b → a', 'net/vpc → net/dns → net/vpn → net/vpc'] },
    }),
    stacks: [],
  },
  'resolution failed': {
    run: run({ status: 'failed', waves: 0, failure: { reason: 'The resolve job ended without uploading a graph.' } }),
    stacks: [],
  },
  'summary only': {
    run: run({ waves: 1 }),
    stacks: [
      stack('secrets', {
        plan_output: 'summary',
        plan_text: undefined,
        summary: {
          adds: 1,
          changes: 1,
          destroys: 0,
          replaces: 1,
          added: ['vault.a'],
          changed: ['vault.b["k"]'],
          replaced: ['vault.c'],
        },
      }),
    ],
  },
  applying: {
    run: run({ mode: 'apply', trigger: 'comment', status: 'applying', current_wave: 1 }),
    stacks: [
      { ...network, status: 'applied', exit_code: 0 },
      { ...data, status: 'applying', checks: [], locked_by: undefined },
      { ...app, status: 'pending' },
    ],
  },
  'apply failed': {
    run: run({ mode: 'apply', trigger: 'comment', status: 'failed', current_wave: 1 }),
    stacks: [
      { ...network, status: 'applied', exit_code: 0 },
      {
        ...data,
        status: 'failed',
        exit_code: 1,
        plan_text: undefined,
        error_text: 'Error: quota exceeded',
        checks: [],
        locked_by: undefined,
      },
      { ...app, status: 'blocked', blocked_by: ['data/postgres'] },
    ],
  },
  drifted: {
    run: run({ mode: 'drift', trigger: 'schedule', pr_number: undefined, waves: 1 }),
    stacks: [{ ...network, reasons: ['requested'], checks: [] }],
  },
  'hostile names and texts': {
    run: run({
      waves: 1,
      warnings: [{ code: 'config_keys_differ', message: '@octo/admins <!-- look --> | `x`\n# big' }],
    }),
    stacks: [
      stack(nasty, {
        environment: nasty,
        via: [nasty],
        job_url: 'javascript:alert(1)',
        plan_text: `\u001b[31mred\u001b[0m\r\n\`\`\`\n</details>\n@octo\n\`\`\`\`\`\n<script>\u202e`,
        error_text: '```\n# not a heading',
        checks: [
          { name: 'odd', status: 'fail', summary: '| @octo `x` <img src=x>', details_url: 'https://x.test/a)|b' },
        ],
        locked_by: { run_id: nasty },
      }),
    ],
  },
}

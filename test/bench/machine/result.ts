import type { KeptResult } from '#domain/result.ts'

/** A result as jobs post it: a plan with changes. About 600 bytes. */
export const resultBody: KeptResult = {
  mode: 'plan',
  status: 'success',
  exit_code: 2,
  has_changes: true,
  summary: {
    adds: 2,
    changes: 1,
    destroys: 0,
    replaces: 0,
    added: ['aws_instance.web[0]', 'aws_instance.web[1]'],
    changed: ['aws_security_group.web'],
    destroyed: [],
    replaced: [],
  },
  job_url: 'https://github.example.com/acme/infra/actions/runs/1/job/2',
  tool: 'terraform',
  tool_version: '1.11.4',
  duration_ms: 4200,
}

export const planText = `${'  + resource "aws_instance" "web" { ami = "ami-0123456789" }\n'.repeat(8)}Plan: 2 to add, 1 to change, 0 to destroy.\n`

import type { Test } from 'tap'
import { clientFor, directoryFor } from './client.ts'
import { git, write } from './job/planning.ts'

export const resource = (name: string) => `resource "terraform_data" "${name}" {}\n`

export const files = {
  'svc.yml': 'version: 1\nstacks:\n  - { match: app, depends_on: [network] }\n',
  'network/main.tf': resource('a'),
  'app/main.tf': resource('a'),
}

/** A checkout with these files, committed, and the client in a person's shell. */
export const checkoutOf = (t: Test, given: Record<string, string> = files) => {
  const root = directoryFor(t)
  git(root, 'init', '-q', '-b', 'main')
  write(root, given)
  git(root, 'add', '.')
  git(root, 'commit', '-q', '-m', 'one')
  const client = clientFor(t)
  const run = (args: readonly string[], env: Record<string, string> = {}, cwd = root) => client.run(args, { cwd, env })
  const start = (args: readonly string[], env: Record<string, string> = {}) =>
    client.run(args, { cwd: root, env, asProcess: true })
  return { root, run, start }
}

import t from 'tap'
import type { Graph } from '#domain/graph/graph.ts'
import type { Resolution, ResolveInput } from '#domain/resolution/resolve.ts'
import { config, graphOf, resolved, why } from '#test/domain/graph/graph-of.ts'

/*
 * What a pull request changes through svc.yml alone. Each case has the default branch's file, the pull request's, and what is
 * planned because of the difference if nothing else changes.
 */

const graph = graphOf({ app: {}, after: { depends: ['app'] }, other: {}, 'data:eu': {}, 'data:us': {} })

const data = 'match: data, instances: {eu: {workspace: eu}, us: {workspace: us}}'

type Files = { there?: string; here?: string; graph?: Graph; before?: Graph } & Partial<ResolveInput>

const changing = ({ there = '', here = '', graph: uploaded = graph, before, ...rest }: Files): Resolution =>
  resolved(uploaded, ['svc.yml'], {
    config: config(here),
    defaultBranch: { config: config(there), graph: before },
    ...rest,
  })

const differing = ({ warnings }: Resolution) => warnings.find(({ code }) => code === 'config_keys_differ')

const both = (entries: string): string => `stacks: [{${data}}, ${entries}]`

t.test('a stack whose plan settings differ is changed', async (t) => {
  const app = ['app: changed', 'after: dependent via app']
  const us = ['data:us: changed']
  const all = [
    'app: changed',
    'data:eu: changed',
    'data:us: changed',
    'other: changed',
    'after: changed dependent via app',
  ]
  const cases: [what: string, there: string, here: string, planned: string[], keys: string[]][] = [
    ['a workspace', both('{match: other}'), both('{match: app, workspace: blue}'), app, ['stacks[app].workspace']],
    [
      'another var file',
      both('{match: app, var_files: [a.tfvars]}'),
      both('{match: app, var_files: [b.tfvars]}'),
      app,
      ['stacks[app].var_files'],
    ],
    [
      'var files in another order, of which the later wins',
      both('{match: app, var_files: [a.tfvars, b.tfvars]}'),
      both('{match: app, var_files: [b.tfvars, a.tfvars]}'),
      app,
      ['stacks[app].var_files'],
    ],
    [
      'where the state is kept',
      both('{match: app}'),
      both('{match: app, backend_config: [bucket=acme]}'),
      app,
      ['stacks[app].backend_config'],
    ],
    ['the tool', both('{match: app}'), both('{match: app, tool: tofu}'), app, ['stacks[app].tool']],
    [
      'the version of the tool',
      both('{match: app, tool_version: "1.10.0"}'),
      both('{match: app, tool_version: "1.11.4"}'),
      app,
      ['stacks[app].tool_version'],
    ],
    [
      'a setting that reaches a stack by another entry',
      both('{match: app, tool: tofu}'),
      both('{match: "*", tool_version: "1.9.0"}, {match: "{after,other,data}", tool_version: "1.8.0"}'),
      ['app: changed', 'data:eu: changed', 'data:us: changed', 'other: changed', 'after: changed dependent via app'],
      ['stacks[app].tool', ...['app', 'after', 'other', 'data'].map((path) => `stacks[${path}].tool_version`)],
    ],
    [
      'one instance of a directory',
      `stacks: [{${data}}]`,
      'stacks: [{match: data, instances: {eu: {workspace: eu}, us: {workspace: us, var_files: [us.tfvars]}}}]',
      us,
      ['stacks[data].instances'],
    ],
    [
      'a setting of all instances of a directory',
      both('{match: data}'),
      both('{match: data, var_files: [all.tfvars]}'),
      ['data:eu: changed', 'data:us: changed'],
      ['stacks[data].var_files'],
    ],
    ['the tool of all', `stacks: [{${data}}]`, `tool: tofu\nstacks: [{${data}}]`, all, ['tool']],
    [
      'the version of all but those that have their own',
      both('{match: "{app,after,other}", tool_version: "1.9.0"}'),
      `tool_version: "1.11.4"\n${both('{match: "{app,after,other}", tool_version: "1.9.0"}')}`,
      ['data:eu: changed', 'data:us: changed'],
      ['tool_version'],
    ],
  ]
  for (const [what, there, here, planned, keys] of cases) {
    const result = changing({ there, here })
    t.same(why(result), planned, what)
    t.same(differing(result)?.keys, keys, what)
  }
})

t.test('a stack that exists because of the new svc.yml is changed', async (t) => {
  const eu = 'stacks: [{match: data, instances: {eu: {workspace: eu}}}]'
  const cases: [what: string, files: Files, planned: string[]][] = [
    ['a new instance', { there: eu, here: `stacks: [{${data}}]` }, ['data:us: changed']],
    [
      'all instances of a directory that had none',
      { there: 'stacks: [{match: data}]', here: `stacks: [{${data}}]` },
      ['data:eu: changed', 'data:us: changed'],
    ],
    [
      'a directory that is no longer excluded, and what depends on it',
      { there: `discover: {exclude: [app]}\nstacks: [{${data}}]`, here: `stacks: [{${data}}]` },
      ['app: changed', 'after: dependent via app'],
    ],
    [
      'a directory that is now included',
      { there: 'discover: {include: ["{app,after,data}"]}', here: 'discover: {include: ["*"]}' },
      ['other: changed'],
    ],
    [
      'a directory that only its full name makes a stack',
      { here: 'discover: {include: ["**", other]}', before: graphOf({ app: {}, after: {} }) },
      ['other: changed'],
    ],
    [
      'not one that was a stack before its name was written in full',
      { here: 'discover: {include: ["**", other]}', before: graph },
      [],
    ],
    [
      'before the first merge, when the newest graph is one of the pull request’s own',
      { there: eu, here: `stacks: [{${data}}]`, before: graph },
      ['data:us: changed'],
    ],
    [
      'the first svc.yml of a repository, where the tool is what it was',
      { here: `tool: terraform\nstacks: [{match: app, environment: prod}, {match: other, tool: tofu}]` },
      ['other: changed'],
    ],
  ]
  for (const [what, files, planned] of cases) t.same(why(changing(files)), planned, what)
})

t.test('settings that do not affect the plan change no stack', async (t) => {
  const cases: [what: string, there: string, here: string][] = [
    ['an environment, which an apply reads from the default branch', '{match: app, environment: a}', '{match: app}'],
    ['how much of the plan is shown', '{match: app, plan_output: summary}', '{match: app}'],
    ['what it waits for', '{match: other, depends_on: [app]}', '{match: app}'],
    ['what it watches', '{match: app, watch_paths: [w]}', '{match: app}'],
    ['the same in other entries', '{match: app, tool: tofu}', '{match: "app*", tool: tofu}, {match: nothing}'],
    ['the workspace that is selected anyway', '{match: app, workspace: default}', '{match: app}'],
  ]
  for (const [what, there, here] of cases)
    t.same(why(changing({ there: `stacks: [${there}]`, here: `stacks: [${here}]` })), [], what)
  const policy = `
apply: {mode: off, approvals: 2, teams: [platform]}
plan: {output: summary}
drift: {schedule: "0 4 * * *"}
locks: {remind_after: 2h}
propagate: {cross_repo: plan}
checks: [{name: cost, run: ./cost}]
`
  t.same(why(changing({ here: policy })), [], 'policy')
  t.same(changing({ here: policy }).warnings, [])
  t.same(
    why(
      changing({
        there: `stacks: [{${data}}]`,
        here: 'stacks: [{match: data, instances: {us: {workspace: us}}}]',
        graph: graphOf({ 'data:us': {} }),
      }),
    ),
    [],
    'an instance less',
  )
})

t.test('ignore and dropped dependencies hide none of it', async (t) => {
  const there = 'stacks: [{match: other, depends_on: [app]}]'
  const here = 'ignore: ["**"]\nstacks: [{match: app, tool: tofu}]'
  const result = changing({ there, here })
  t.same(why(result), ['app: changed', 'after: dependent via app', 'other: dependent via app'])
  t.same(
    result.warnings.map(({ code, stacks }) => [code, stacks]),
    [
      ['config_keys_differ', ['app']],
      ['planned_by_default_branch_config', ['other']],
    ],
  )
})

t.test(
  'a branch that is only behind the default branch’s svc.yml plans nothing for it, but has a warning',
  async (t) => {
    const result = changing({ there: 'tool_version: "1.11.4"', changedPaths: ['other/main.tf'] })
    t.same(why(result), ['other: changed'])
    t.same(differing(result)?.keys, ['tool_version'])
    t.equal(differing(result)?.stacks, undefined)
  },
)

t.test('the warning names what is planned for svc.yml, and only that', async (t) => {
  const here = 'stacks: [{match: app, tool: tofu}, {match: other, tool: tofu}]'
  const told = differing(changing({ here, changedPaths: ['svc.yml', 'after/main.tf'] }))
  t.same(told?.stacks, ['app', 'other'])
  t.match(told?.message, /stacks\[app\]\.tool.*this pull request changes their settings in svc\.yml: app, other$/)
  t.same(differing(changing({ here, restrict: ['app', 'after'] }))?.stacks, ['app'], 'of those a restriction leaves')
})

t.test('without a default branch there is nothing to compare', async (t) => {
  t.same(why(changing({ here: 'tool: tofu', defaultBranch: undefined })), [])
})

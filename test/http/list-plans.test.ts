import { Client } from 'pg'
import t, { type Test } from 'tap'
import { createGitHubPages } from '#codehost/github/pages.ts'
import type { PersonOrKey } from '#commands/callers/caller.ts'
import { rowsInTables } from '#commands/history/rows-of-archived.ts'
import { listAudit } from '#commands/reads/list-audit.ts'
import { listLocks } from '#commands/reads/list-locks.ts'
import { listModules } from '#commands/reads/list-modules.ts'
import { listQueue } from '#commands/reads/list-queue.ts'
import { listRepositories } from '#commands/reads/list-repositories.ts'
import { listAllRuns, listRuns } from '#commands/reads/list-runs.ts'
import { listAllStacks, listStacks } from '#commands/reads/list-stacks.ts'
import { readMachineJournal } from '#commands/reads/read-journal.ts'
import { readOverview } from '#commands/reads/read-overview.ts'
import { listStackDrift, listStackRuns } from '#commands/reads/read-stack.ts'
import type { PageRequest } from '#commands/shapes/page.ts'
import { createPool } from '#db/pool.ts'
import type { Pool } from '#db/sql.ts'
import { seed } from '#dev/seed.ts'
import { createLog } from '#log.ts'
import { testDatabase } from '#test/helpers/database.ts'
import { firstRun, firstStack } from '#test/helpers/lists.ts'

/*
 * How Postgres runs each list, with tables large enough to give it a choice: a walk over a whole large table would cost more
 * with every run there ever was.
 */

const { url } = await testDatabase(t)
await seed(url, { runs: 10_000, stacks: 5_000, journal: 20_000, audit: 5_000, repositories: 40 })
const pool = await createPool(url, { log: createLog({ level: 'silent', format: 'json' }) })
t.teardown(() => pool.end())
const client = new Client({ connectionString: url })
await client.connect()
t.teardown(() => client.end())

const large = new Set([
  'runs',
  'run_stacks',
  'results',
  'journal',
  'lock_journal',
  'audit',
  'jobs',
  'stacks',
  'drift_checks',
])

type Statement = { sql: string; values: readonly unknown[] }
type Plan = {
  'Node Type': string
  'Relation Name'?: string
  'Rows Removed by Filter'?: number
  'Actual Rows': number
  'Actual Loops': number
  Plans?: Plan[]
}

/** The pool, which notes its queries. */
const noting = (statements: Statement[]): Pool =>
  new Proxy(pool, {
    get: (target, name) => {
      const method = Reflect.get(target, name)
      if (typeof method !== 'function') return method
      return (...given: unknown[]) => {
        const [query] = given
        if (typeof query === 'object' && query !== null && 'sql' in query) statements.push(query as Statement)
        return method.apply(target, given)
      }
    },
  })

const literal = (value: unknown): string => {
  if (value === null || value === undefined) return 'null'
  if (!Array.isArray(value)) return client.escapeLiteral(String(value))
  return client.escapeLiteral(`{${value.map((one) => JSON.stringify(String(one))).join(',')}}`)
}

let prepared = 0

/** As with the statements that our pool prepares: planned for these values at first, later perhaps for any. */
const plansOf = async ({ sql, values }: Statement): Promise<Plan[]> => {
  const name = `plan_${++prepared}`
  await client.query(`prepare ${name} as ${sql.replaceAll('$slonik_', '$')}`)
  const execute = values.length === 0 ? name : `${name}(${values.map(literal).join(', ')})`
  const plans: Plan[] = []
  for (let time = 0; time < 8; time += 1) {
    const { rows } = await client.query(`explain (analyze, format json) execute ${execute}`)
    plans.push(rows[0]['QUERY PLAN'][0].Plan)
  }
  return plans
}

const walked = (plan: Plan): string[] => [
  ...(/Seq Scan/.test(plan['Node Type']) && large.has(plan['Relation Name'] ?? '')
    ? [plan['Relation Name'] ?? '']
    : []),
  ...(plan.Plans ?? []).flatMap(walked),
]

/** Rows of a table that were read, wanted or not. */
const read = (table: string, plan: Plan): number =>
  (plan['Relation Name'] === table
    ? ((plan['Rows Removed by Filter'] ?? 0) + plan['Actual Rows']) * plan['Actual Loops']
    : 0) + (plan.Plans ?? []).reduce((sum, part) => sum + read(table, part), 0)

/** Rows of large tables that were read and not wanted: those above a page, if no index could leave them out. */
const skipped = (plan: Plan): number =>
  (large.has(plan['Relation Name'] ?? '') ? (plan['Rows Removed by Filter'] ?? 0) * plan['Actual Loops'] : 0) +
  (plan.Plans ?? []).reduce((sum, part) => sum + skipped(part), 0)

type Lister = (pool: Pool, caller: PersonOrKey, page: PageRequest) => Promise<{ next_cursor?: string } | object>

const name = { owner: 'org-1', repo: 'infra-00001' }
const baseUrl = 'https://svc.example.com'
const pages = createGitHubPages('https://codehost.example')
const runsWith =
  (filter: Parameters<typeof listRuns>[3]): Lister =>
  (pool, caller, page) =>
    listRuns({ pool, baseUrl, pages }, caller, name, { ...page, ...filter })
const allRunsWith =
  (filter: Parameters<typeof listAllRuns>[2]): Lister =>
  (pool, caller, page) =>
    listAllRuns({ pool, baseUrl, pages }, caller, { ...page, ...filter })

const allStacksWith =
  (filter: Parameters<typeof listAllStacks>[2]): Lister =>
  (pool, caller, page) =>
    listAllStacks({ pool }, caller, { ...page, ...filter })

const listers: Record<string, Lister> = {
  repositories: (pool, caller, page) => listRepositories({ pool }, caller, page),
  runs: runsWith({}),
  'runs of a mode': runsWith({ mode: 'apply' }),
  'runs of a status': runsWith({ status: 'unconfirmed' }),
  'runs of a mode and status': runsWith({ mode: 'plan', status: 'failed' }),
  'runs of a pull request': runsWith({ prNumber: 7, status: 'planned' }),
  'all runs': allRunsWith({}),
  'all runs of a mode': allRunsWith({ mode: ['apply'] }),
  'all runs of two modes': allRunsWith({ mode: ['plan', 'apply'] }),
  'all runs of a status': allRunsWith({ status: ['unconfirmed', 'failed'] }),
  'all open runs': allRunsWith({ open: true }),
  'all runs of a person': allRunsWith({ actor: 'eve' }),
  stacks: (pool, caller, page) => listStacks({ pool }, caller, name, page),
  'all stacks': allStacksWith({}),
  'all stacks of an environment': allStacksWith({ environment: 'production' }),
  'all stacks of an environment that none has': allStacksWith({ environment: 'staging' }),
  'all drifted stacks': allStacksWith({ drifted: true }),
  'all stacks that are not drifted': allStacksWith({ drifted: false }),
  'all locked stacks': allStacksWith({ locked: true }),
  'all stacks that are behind': allStacksWith({ behind: true }),
  'all stacks of a repository': allStacksWith({ repo: `${name.owner}/${name.repo}`, drifted: true }),
  'drift of a stack': (pool, caller, page) => listStackDrift({ pool }, caller, firstStack, page),
  'runs of a stack': (pool, caller, page) => listStackRuns({ pool }, caller, firstStack, page),
  'runs of a stack of a mode': (pool, caller, page) =>
    listStackRuns({ pool }, caller, firstStack, { ...page, mode: ['plan', 'apply'] }),
  'audit log': (pool, caller, page) => listAudit({ pool }, caller, page),
  'audit log of a person': (pool, caller, page) => listAudit({ pool }, caller, { ...page, actor: 'eve' }),
  'audit log of a rare action': (pool, caller, page) => listAudit({ pool }, caller, { ...page, action: 'unlock' }),
  'audit log of a repository': (pool, caller, page) =>
    listAudit({ pool }, caller, { ...page, repo: 'org-1/infra-00001' }),
  'audit log since a time': (pool, caller, page) =>
    listAudit({ pool }, caller, { ...page, from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' }),
  locks: (pool, caller, page) => listLocks({ pool }, caller, page),
  'locks of a repository': (pool, caller, page) =>
    listLocks({ pool }, caller, { ...page, repo: `${name.owner}/${name.repo}` }),
  'locks of a stack': (pool, caller, page) => listLocks({ pool }, caller, { ...page, stack: firstStack }),
  'locks in a state': (pool, caller, page) => listLocks({ pool }, caller, { ...page, state: 'held.orphaned' }),
  'locks of a run': (pool, caller, page) => listLocks({ pool }, caller, { ...page, run: firstRun }),
  'locks of a pull request': (pool, caller, page) =>
    listLocks({ pool }, caller, { ...page, repo: `${name.owner}/${name.repo}`, pr: 7 }),
  journal: (pool, caller, page) =>
    readMachineJournal({ pool, rowsOf: rowsInTables(pool) }, caller, { kind: 'lock', id: firstStack, ...page }),
  'journal, oldest first': (pool, caller, page) =>
    readMachineJournal({ pool, rowsOf: rowsInTables(pool) }, caller, {
      kind: 'lock',
      id: firstStack,
      order: 'asc',
      ...page,
    }),
  overview: (pool, caller) => readOverview({ pool, baseUrl, pages }, caller),
}

const person: PersonOrKey = {
  kind: 'person',
  ...{ id: 1, login: 'grace', avatarUrl: '', orgs: [], accountIds: [1, 2], ownedIds: [], sessionHash: '' },
}
const automation: PersonOrKey = { kind: 'key', name: 'ci' }

const check = async (t: Test, what: string, lister: Lister, caller: PersonOrKey): Promise<void> => {
  const statements: Statement[] = []
  await lister(noting(statements), caller, {})
  await lister(noting(statements), caller, { cursor: await lastCursor(lister, caller), limit: 500 })
  t.ok(statements.length > 0, `${what}: there are statements to check`)
  for (const statement of statements) {
    const plans = await plansOf(statement)
    t.same([...new Set(plans.flatMap(walked))], [], `${what}, by ${statement.sql}`)
    const most = Math.max(...plans.map(skipped))
    t.ok(most < 1000, `${what}: ${most} rows are read in vain by ${statement.sql}`)
  }
}

/** The cursor of a list's last page. */
const lastCursor = async (lister: Lister, caller: PersonOrKey): Promise<string | undefined> => {
  let cursor: string | undefined
  for (;;) {
    const page = await lister(pool, caller, { limit: 500, cursor })
    if (!('next_cursor' in page)) return cursor
    cursor = page.next_cursor
  }
}

t.test('no list walks over a large table, for any caller and however often', async (t) => {
  for (const [what, lister] of Object.entries(listers)) {
    await check(t, `${what} for automation`, lister, automation)
    await check(t, `${what} for a person`, lister, person)
  }
  await check(t, 'queue', (pool, caller, page) => listQueue({ pool }, caller, { ...page, state: 'dead' }), automation)
})

t.test('a walk would be noticed, over a whole table or down to a page', async (t) => {
  const [plan] = await plansOf({ sql: 'select count(*) from runs where base_sha = $1', values: ['x'] })
  t.same(plan && walked(plan), ['runs'])
  const down = await plansOf({
    sql: `select seq from lock_journal where stack_id = $1 and ($2::int is null or seq < $3) order by seq desc limit $4`,
    values: [firstStack, 100, 100, 50],
  })
  t.ok(Math.max(...down.map(skipped)) > 1000)
})

t.test('what others have is not looked through for somebody who sees little of it', async (t) => {
  const stranger: PersonOrKey = { ...person, id: 2, accountIds: [4] }
  await client.query(`
    insert into modules (installation_id, id, key, kind, repo_name)
      select 1, gen_random_uuid(), 'org-1/of-others//m' || n, 'git', 'org-1/of-others' from generate_series(1, 20000) n;
    insert into modules (installation_id, id, key, kind, repo_name)
      select 4, gen_random_uuid(), 'org-4/own//m' || n, 'git', 'org-4/own' from generate_series(1, 5) n;
    insert into module_listings (installation_id, module_id, repo_id)
      select installation_id, id, case installation_id when 1 then 1 else 31 end from modules where repo_name in ('org-1/of-others', 'org-4/own');
    insert into audit (installation_id, actor, action, target, details)
      select 1, 'ada', 'command', 'org-1/infra-00001', '{"repo": "org-1/infra-00001"}' from generate_series(1, 20000) n`)
  await client.query('vacuum analyze modules, module_listings, audit')
  const asked: [table: string, lister: Lister][] = [
    ['modules', (pool, caller, page) => listModules({ pool }, caller, page)],
    ['modules', (pool, caller, page) => listModules({ pool }, caller, { ...page, q: 'm1' })],
    ['modules', (pool, caller, page) => listModules({ pool }, caller, { ...page, q: 'of-others' })],
    ...[
      {},
      { action: 'command' },
      { actor: 'ada' },
      { target: 'org-1/infra-00001' },
      { repo: 'org-1/infra-00001' },
      { from: '2020-01-01T00:00:00Z' },
    ].map((filter): [string, Lister] => [
      'audit',
      (pool, caller, page) => listAudit({ pool }, caller, { ...page, ...filter }),
    ]),
  ]
  for (const [table, lister] of asked) {
    const statements: Statement[] = []
    await lister(noting(statements), stranger, {})
    const [statement] = statements
    const plans = statement === undefined ? [] : await plansOf(statement)
    const most = Math.max(...plans.map((plan) => read(table, plan)))
    t.ok(most < 1000, `${most} rows of ${table} are read by ${statement?.sql}`)
  }
})

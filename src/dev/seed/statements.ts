import type { Sizes } from './sizes.ts'

/** An id that two tables can each compute from a number, without reading the other: `stack 7`. */
const id = (kind: string, number: string): string => `md5('${kind} ' || (${number}))::uuid`

/** Half of the numbers 1 … n are the first repository's, the others take turns. */
const repository = (number: string, { repositories }: Sizes): string =>
  repositories === 1 ? '1' : `case when (${number}) % 2 = 1 then 1 else 2 + ((${number}) / 2) % ${repositories - 1} end`

/**
 * The stack of a run: a tenth of all are of the first one, which is in the first repository like every odd stack, the others of
 * all in turn.
 */
const stackOfRun = (number: string, { stacks }: Sizes): string =>
  `(case when ${number} % 10 = 1 then 1 else 1 + (${number} * 7 + ${number} / 4 * 6 - 1) % ${stacks} end)`

/** So far apart are stacks of the same repository, but for the first one's, which are nearer. */
const stride = ({ repositories }: Sizes): number => Math.max(1, 2 * (repositories - 1))

/**
 * How many stacks a run has: as many as it takes for each to have been in some four. Where runs are few, stacks without any would be less to
 * show, and a page over a long history would be compared with one that says half as much.
 */
const stacksOfRun = (sizes: Sizes): number =>
  Math.max(1, Math.min(Math.ceil((4 * sizes.stacks) / sizes.runs), Math.floor(sizes.stacks / stride(sizes))))

/** The one in this place of a run whose first is `first`, of the same repository. */
const stackInPlace = (first: string, place: string, sizes: Sizes): string => {
  const apart = stride(sizes)
  const here = Math.max(1, Math.floor(sizes.stacks / apart))
  return `case when ${place} = 0 then ${first} else
    1 + (${first} - 1) % ${apart} + ${apart} * (((${first} - 1) / ${apart} + ${place}) % ${here}) end`
}

/** Whose that repository is: ten of them are one's. */
const installation = (number: string, sizes: Sizes): string => `1 + (${repository(number, sizes)} - 1) / 10`

/** When the first of a history was. */
export const firstMonth = '2026-01'

/** As many, so that the history fills ten months and all of it is past. */
export const months = 10

/** Newest last. */
const moment = (number: string, of: number): string =>
  `date_trunc('milliseconds', timestamptz '${firstMonth}-01' + ((${number}) - 1) * (interval '300 days' / ${of}))`

/** A run's id begins with its time, as those that the service makes do: what is near in time is near in indexes, and in a month's partition. */
const runId = (number: string, { runs }: Sizes): string => `(
  lpad(to_hex((extract(epoch from ${moment(number, runs)}) * 1000)::bigint), 12, '0') || '7' ||
  left(md5('run ' || (${number})), 3) || '8' || substr(md5('run ' || (${number})), 4, 15))::uuid`

const modulesOf = ({ stacks }: Sizes): number => Math.ceil(stacks / 25)

const snapshot = `'{"value": "seeded", "context": {}}'::jsonb`

/** The newest row of a stack of a mode, or of any. */
const newestRow = (mode?: 'plan' | 'apply'): string => `
    left join lateral (
      select x.run_id, x.status, x.created_at from run_stacks x
      where x.stack_id = s.id ${mode ? `and x.mode = '${mode}'` : ''}
      order by x.created_at desc, x.run_id desc limit 1) ${mode?.slice(0, 1) ?? 'n'} on true`

/** One statement a table, run in this order. */
export const statements = (sizes: Sizes): Record<string, string> => ({
  installations: `
    insert into installations (id, account_id, account_login, account_type)
    select n, n, 'org-' || n, 'Organization' from generate_series(1, ${Math.ceil(sizes.repositories / 10)}) n`,

  repositories: `
    insert into repositories (id, installation_id, owner, name, default_branch)
    select n, 1 + (n - 1) / 10, 'org-' || 1 + (n - 1) / 10, 'infra-' || lpad(n::text, 5, '0'), 'main'
    from generate_series(1, ${sizes.repositories}) n`,

  stacks: `
    insert into stacks (installation_id, id, repo_id, key, listed, node, dependencies)
    select ${installation('n', sizes)}, ${id('stack', 'n')}, ${repository('n', sizes)}, 'env/' || lpad(n::text, 7, '0'), true,
      jsonb_build_object('path', 'env/' || lpad(n::text, 7, '0'), 'environment', 'production',
        'backend', jsonb_build_object('type', 's3', 'bucket', 'state', 'key', n || '.tfstate'), 'tool', 'terraform'),
      array['env/base']
    from generate_series(1, ${sizes.stacks}) n;
    update repositories r set stack_count = s.n
    from (select repo_id, count(*) as n from stacks group by repo_id) s where s.repo_id = r.id`,

  runs: `
    insert into runs (installation_id, id, repo_id, pr_number, sha, mode, trigger, requested_by, status, waves, snapshot, version, seq,
      created_at, started_at, finished_at)
    select ${installation(stackOfRun('n', sizes), sizes)}, ${runId('n', sizes)}, ${repository(stackOfRun('n', sizes), sizes)}, n / 20, md5(n::text) || '00000000',
      (array['plan', 'plan', 'apply', 'drift'])[1 + n % 4],
      (array['pull_request', 'pull_request', 'comment', 'schedule'])[1 + n % 4], (array['ada', 'eve', 'system'])[1 + n % 3],
      case when n % 100 = 1 then 'unconfirmed' when n % 10 = 3 then 'failed' when n % 4 = 2 then 'applied' else 'planned' end,
      1, ${snapshot}, 1, 1, ${moment('n', sizes.runs)}, ${moment('n', sizes.runs)}, ${moment('n', sizes.runs)}
    from generate_series(1, ${sizes.runs}) n;
    insert into run_counts (installation_id, repo_id, status, runs)
    select installation_id, repo_id, status, count(*) from runs group by 1, 2, 3`,

  'rows of runs': `
    insert into run_stacks (installation_id, run_id, stack_id, key, path, wave, reasons, status, version, seq, started_at, finished_at,
      mode, created_at)
    select r.installation_id, r.id, ${id('stack', 'k')}, 'env/' || lpad(k::text, 7, '0'), 'env/' || lpad(k::text, 7, '0'), 0, '{changed}', r.status,
      1, 1, r.created_at, r.created_at, r.mode, r.created_at
    from (select distinct n, ${stackInPlace('first', 'place', sizes)} as k
      from (select n, ${stackOfRun('n', sizes)} as first from generate_series(1, ${sizes.runs}) n) f
        cross join generate_series(0, ${stacksOfRun(sizes) - 1}) place) t
    join runs r on r.id = ${runId('n', sizes)}`,

  results: `
    insert into results (installation_id, run_id, stack_id, body, plan_text, reported_at)
    select installation_id, run_id, stack_id, '{"mode": "plan", "status": "success", "exit_code": 2, "job_url": "https://ci.example.com/1",
      "summary": {"adds": 1, "changes": 0, "destroys": 0, "replaces": 0}}', 'Plan: 1 to add', finished_at from run_stacks`,

  // from the rows of the stack's runs, as transitions would have kept them. Until Postgres has counted the rows, it reads all of
  // them for each stack: twenty minutes and more for 50,000 stacks, where autovacuum was not there first
  'standings of stacks': `
    analyze run_stacks;
    insert into stack_standings (installation_id, stack_id, repo_id, listed, status, run_id, run_at, plan_run_id, plan_at, apply_run_id, apply_at,
      apply_status)
    select s.installation_id, s.id, s.repo_id, s.listed, n.status, n.run_id, n.created_at, p.run_id, p.created_at, a.run_id, a.created_at, a.status
    from stacks s
    ${newestRow('plan')}${newestRow('apply')}${newestRow()};
    insert into stack_counts (installation_id, repo_id, status, stacks)
    select installation_id, repo_id, status, count(*) from stack_standings where status is not null group by 1, 2, 3`,

  'drift checks': `
    insert into drift_checks (installation_id, stack_id, run_id, drifted, checked_at)
    select installation_id, stack_id, run_id, case when status <> 'failed' then md5(run_id::text) < '05' end, created_at
    from run_stacks where mode = 'drift';
    insert into drift_states (installation_id, stack_id, repo_id, run_id, drifted, checked_at, drifted_since)
    select s.installation_id, s.id, s.repo_id, x.run_id, n % 50 = 3, x.checked_at, case when n % 50 = 3 then x.checked_at end
    from generate_series(1, ${sizes.stacks}) n join stacks s on s.id = ${id('stack', 'n')}
    cross join lateral (select run_id, checked_at from drift_checks where stack_id = s.id and drifted is not null
      order by checked_at desc, run_id desc limit 1) x`,

  locks: `
    insert into locks (installation_id, stack_id, repo_id, state, run_id, pr_number, taken_at, fence, snapshot, version, seq)
    select s.installation_id, s.id, s.repo_id, 'held.changed', ${runId('n', sizes)}, n, ${moment('n', sizes.stacks)}, 1, ${snapshot}, 1, 1
    from generate_series(1, least(${sizes.stacks}, 1000)) n join stacks s on s.id = ${id('stack', 'n')}`,

  journal: `
    insert into journal (installation_id, kind, run_id, subject_id, seq, event, actor, state_from, state_to, actions, at)
    select r.installation_id, 'run', r.id, r.id, 1 + n % 10 + 10 * ((n / 10) / ${sizes.runs}),
      '{"type": "result.reported"}', 'runner', 'planning', 'planned', '[]', ${moment('n', sizes.journal)}
    from generate_series(1, ${sizes.journal}) n join runs r on r.id = ${runId(`1 + (n / 10) % ${sizes.runs}`, sizes)}
    where n % 10 <> 0;
    insert into lock_journal (installation_id, stack_id, run_id, seq, event, actor, state_from, state_to, actions, at)
    select 1, ${id('stack', '1')}, ${runId(`1 + (n / 10) % ${sizes.runs}`, sizes)}, n / 10,
      '{"type": "result.reported"}', 'runner', 'planning', 'planned', '[]', ${moment('n', sizes.journal)}
    from generate_series(10, ${sizes.journal}, 10) n;
    insert into lock_journal (installation_id, stack_id, run_id, seq, event, actor, state_from, state_to, actions, at)
    select ${installation('n', sizes)}, ${id('stack', 'n')}, ${runId('n', sizes)}, seq, '{"type": "lock.requested"}', 'system', 'free', 'held.claimed', '[]',
      ${moment('n', sizes.stacks)}
    from generate_series(2, least(${sizes.stacks}, ${sizes.runs}, 1000)) n cross join generate_series(0, 3) seq`,

  'audit log': `
    insert into audit (installation_id, at, actor, action, target, details)
    select r.installation_id, ${moment('n', sizes.audit)}, (array['ada', 'eve', 'system'])[1 + n % 3], case when n % 500 = 0 then 'unlock' else 'command' end,
      r.full_name, jsonb_build_object('repo', r.full_name, 'pr', n)
    from generate_series(1, ${sizes.audit}) n join repositories r on r.id = ${repository('n', sizes)} order by n`,

  // one for 25 stacks, all of the first account, each stack using two, and 20 versions of each
  modules: `
    insert into modules (installation_id, id, key, kind, source, repo_name, path)
    select 1, ${id('module', 'm')}, r.full_name || '//modules/' || lpad(m::text, 6, '0'), 'git', 'git::https://github.com/' || r.full_name,
      r.full_name, 'modules/' || lpad(m::text, 6, '0')
    from generate_series(1, ${modulesOf(sizes)}) m join repositories r on r.id = 1 + m % ${Math.min(10, sizes.repositories)};
    insert into module_listings (installation_id, module_id, repo_id) select 1, id, 1 from modules;
    insert into module_tags (installation_id, repo_id, tag, sha, tagged_at)
    select 1, r.id, 'modules/' || lpad(m::text, 6, '0') || '/v1.' || v || '.0', md5(m || ' ' || v) || '00000000', now()
    from generate_series(1, ${modulesOf(sizes)}) m join repositories r on r.id = 1 + m % ${Math.min(10, sizes.repositories)}
    cross join generate_series(0, 19) v;
    insert into module_versions (installation_id, module_id, precedence, repo_id, tag, counts, newer)
    select 1, ${id('module', 'm')}, lpad(v::text, 4, '0'), r.id, 'modules/' || lpad(m::text, 6, '0') || '/v1.' || v || '.0', true, 19 - v
    from generate_series(1, ${modulesOf(sizes)}) m join repositories r on r.id = 1 + m % ${Math.min(10, sizes.repositories)}
    cross join generate_series(0, 19) v`,

  'consumers of modules': `
    insert into module_consumers (installation_id, module_id, stack_id, repo_id, ref, precedence)
    select 1, ${id('module', `1 + (n * k) % ${modulesOf(sizes)}`)}, s.id, s.repo_id, 'v1.' || n % 20 || '.0', lpad((n % 20)::text, 4, '0')
    from generate_series(1, ${sizes.stacks}) n join stacks s on s.id = ${id('stack', 'n')}
    cross join (values (1), (7)) as u(k) where s.installation_id = 1
    on conflict do nothing`,

  jobs: `
    insert into jobs (queue, kind, payload, state, attempt, last_error, created_at, finished_at)
    select 'jobs', 'publish_run', '{}', case when n % 10 = 0 then 'dead' else 'done' end, 5, 'no answer',
      ${moment('n', sizes.runs)}, ${moment('n', sizes.runs)}
    from generate_series(1, ${Math.ceil(sizes.runs / 10)}) n`,
})

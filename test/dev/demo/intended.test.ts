import t from 'tap'
import type { Run } from '#api/runs/run.ts'
import { differences, type Intended } from '#dev/demo/intended.ts'
import type { Observation } from '#dev/demo/observe.ts'
import { linesOf } from '#dev/demo/people.ts'
import { sceneNames } from '#dev/demo/scenes/scene-names.ts'
import { scenesToPlay } from '#dev/demo/scenes/scenes.ts'

type Stacks = NonNullable<Run['stacks']>

const stack = (key: string, wave: number, status: Stacks[number]['status'], more: Partial<Stacks[number]> = {}) => ({
  ...{ stack_id: '00000000-0000-4000-8000-000000000001', key, path: key, wave, status },
  ...more,
})

/** An apply in which `data/cache` failed and `apps/worker` waits for it, as the code host shows it. */
const seen = (change: { run?: Partial<Run>; checks?: Record<string, string>; comments?: number } = {}): Observation => {
  const checks = {
    'svc/apply': 'failure',
    'svc/apply: data/cache': 'failure',
    'svc/apply: apps/worker': 'cancelled',
    ...change.checks,
  }
  return {
    workflows: [{ id: 1, wave: '1', status: 'completed', conclusion: 'failure', url: '' }],
    run: {
      ...{ id: '00000000-0000-4000-8000-000000000002', repo: 'acme/x', sha: 'a'.repeat(40), html_url: '' },
      ...{ mode: 'apply', trigger: 'comment', status: 'failed', waves: 2, current_wave: 0, created_at: '' },
      stacks: [stack('data/cache', 0, 'failed'), stack('apps/worker', 1, 'blocked', { blocked_by: ['data/cache'] })],
      ...change.run,
    },
    checkRuns: Object.entries(checks).map(([name, conclusion]) => ({
      ...{ name, conclusion, status: 'completed' as const, title: '', text: '', url: '' },
    })),
    comments: Array.from({ length: change.comments ?? 1 }, (_, id) => ({
      ...{ id, url: '', author: 'svc[bot]', body: '', kind: 'overview' as const, reactions: [] },
    })),
  }
}

const intended: Intended = {
  status: 'failed',
  waves: [['data/cache'], ['apps/worker']],
  except: { 'data/cache': 'failed', 'apps/worker': 'blocked' },
  blockedBy: { 'apps/worker': ['data/cache'] },
}

t.test('an apply that came out as intended has no differences, and each difference is a sentence', async (t) => {
  const warning = { code: 'dispatch_refused', message: 'refused', at: '' } as const
  const cases: [what: string, Observation, string[]][] = [
    ['as intended', seen(), []],
    ['no run', { ...seen(), run: undefined }, ['there is no run']],
    ['another end', seen({ run: { status: 'applied' } }), ['the run is applied, not failed']],
    [
      'other stacks',
      seen({ run: { stacks: [stack('data/cache', 0, 'unknown'), stack('apps/worker', 1, 'blocked')] } }),
      ['stack data/cache is unknown, not failed', 'stack apps/worker is blocked by nothing, not data/cache'],
    ],
    ['fewer waves', seen({ run: { waves: 1 } }), ['the waves are data/cache, not data/cache | apps/worker']],
    ['warnings', seen({ run: { warnings: [warning] } }), ['unexpected warnings: refused']],
    [
      'other check runs',
      seen({ checks: { 'svc/apply: apps/worker': 'success' } }),
      ['svc/apply: apps/worker is success, not cancelled'],
    ],
    ['two comments', seen({ comments: 2 }), ["2 of its comments show the pull request's status, not one"]],
  ]
  for (const [what, observation, sentences] of cases) t.same(differences(intended, observation), sentences, what)
})

t.test('a scene is played after those that it goes on from', async (t) => {
  t.same(scenesToPlay(['unlock', 'merge', 'cycle']), ['cycle', 'apply', 'merge', 'kill', 'unlock'])
  t.same(scenesToPlay(['storefront']), ['storefront'])
  t.same(scenesToPlay(sceneNames), sceneNames)
})

t.test("an answer's title and list are read as people see them", async (t) => {
  const body = '<!-- svc:answer comment 1 -->\n### ❌ Apply refused\n\n- `lock`: held by #\u200b7\n\n**Next:** wait'
  t.same(linesOf(body), ['❌ Apply refused', '- lock: held by #7'])
})

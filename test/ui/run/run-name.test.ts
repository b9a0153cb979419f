import t from 'tap'
import { runName } from '../../../ui/run/run-name.ts'

t.test('a run is called by what it does and whose it is', async (t) => {
  for (const [run, name] of [
    [{ mode: 'plan', trigger: 'pull_request', pr_number: 42 }, 'Plan of #42'],
    [
      { mode: 'plan', trigger: 'pull_request', merge_group: { pr_number: 42, base_ref: 'main' } },
      'Plan of #42 in the merge queue',
    ],
    [{ mode: 'apply', trigger: 'comment', pr_number: 42 }, 'Apply of #42'],
    [{ mode: 'apply', trigger: 'push', pr_number: 29 }, 'Apply of #29, on merge'],
    [{ mode: 'apply', trigger: 'manual' }, 'Manual apply'],
    [{ mode: 'drift', trigger: 'schedule' }, 'Drift check'],
  ] as const) {
    t.equal(runName(run), name)
  }
})

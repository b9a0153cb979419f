// biome-ignore-all lint/suspicious/noTemplateCurlyInString: workflow files write expressions that way
import t from 'tap'
import { createWorld, job } from './actions-host.ts'

t.test('artifacts go from job to job and from run to run', async (t) => {
  const world = createWorld(t)
  const run = await world.run(`
jobs:
  make:
    runs-on: x
    steps:
      - run: mkdir -p out/deep; echo plan > out/deep/plan.bin; echo json > out/plan.json; echo no > out/.hidden
      - { uses: actions/upload-artifact@v4, with: { name: plan-aws--prod, path: out, retention-days: 7 } }
      - { uses: actions/upload-artifact@v4, with: { name: single, path: out/deep/plan.bin } }
      - { uses: actions/upload-artifact@v4, with: { name: nothing, path: none } }
      - { uses: actions/upload-artifact@v4, with: { name: all, path: "out/plan.json\\nout/deep", include-hidden-files: true } }
  use:
    needs: make
    runs-on: x
    steps:
      - { id: d, uses: actions/download-artifact@v4, with: { name: plan-aws--prod, path: got } }
      - run: cd "\${{ steps.d.outputs.download-path }}"; find . -type f | sort; cat deep/plan.bin
      - { uses: actions/download-artifact@v4 }
      - run: find all single -type f | sort
`)
  t.equal(run.conclusion, 'success')
  t.match(run.log('make'), /##\[warning\]no files were found with the path 'none'/)
  t.match(run.log('use'), /^\.\/deep\/plan\.bin\n\.\/plan\.json\nplan$/m)
  t.match(run.log('use'), /^all\/deep\/plan\.bin\nall\/plan\.json\nsingle\/plan\.bin$/m)
  const other = await world.run(
    job(`- { uses: actions/download-artifact@v4, with: { name: single, run-id: ${run.id} } }\n- run: cat plan.bin`),
  )
  t.match(other.log('a'), /^plan$/m)
  const table = [
    ['upload-artifact@v4, with: { name: "aws/prod", path: f }', /input name: may not be/],
    ['upload-artifact@v4, with: { name: "..", path: f }', /input name: may not be/],
    ['upload-artifact@v4, with: { name: x, path: "*.bin" }', /patterns are not supported/],
    ['upload-artifact@v4, with: { name: x, path: /etc/hostname }', /is not under/],
    ['upload-artifact@v4, with: { name: x, path: none, if-no-files-found: error }', /##\[error\]no files were found/],
    ['download-artifact@v4, with: { name: single }', /artifact 'single' was not found in run/],
    ['download-artifact@v4, with: { name: single, run-id: soon }', /input run-id/],
  ] as const
  for (const [action, message] of table) {
    const failed = await world.run(job(`- run: echo > f\n- { uses: actions/${action} }`))
    t.equal(failed.conclusion, 'failure', action)
    t.match(failed.log('a'), message)
  }
  const twice = '{ uses: actions/upload-artifact@v4, with: { name: x, path: f'
  const again = await world.run(job(`- run: echo > f\n- ${twice} } }\n- ${twice}, overwrite: true } }\n- ${twice} } }`))
  t.match(again.log('a'), /##\[error\]an artifact with the name 'x' is already in this run/)
  t.same(
    world.jobs(again.id)[0]?.steps.map(({ conclusion }) => conclusion),
    ['success', 'success', 'success', 'success', 'failure', 'success'],
  )
})

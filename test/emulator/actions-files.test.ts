// biome-ignore-all lint/suspicious/noTemplateCurlyInString: workflow files write expressions that way
import t from 'tap'
import { createWorld, job } from './actions-host.ts'

t.test('checkout takes what is asked for', async (t) => {
  const world = createWorld(t)
  const { base, head, main, merge } = world.commits
  const look = 'echo "at $(git rev-parse HEAD) on $(git branch --show-current) of $(git rev-list --count HEAD)"'
  const table = [
    ['', `at ${merge} on  of 1`],
    [`ref: "\${{ github.event.pull_request.head.sha }}"`, `at ${head} on  of 1`],
    [`ref: ${head}, fetch-depth: 0, persist-credentials: false`, `at ${head} on  of 2`],
    ['ref: main', `at ${main} on main of 1`],
    ['ref: refs/heads/topic, fetch-depth: 2', `at ${head} on topic of 2`],
    ['ref: v1', `at ${base} on  of 1`],
    ['ref: "", fetch-depth: 0', `at ${merge} on  of 4`],
  ] as const
  for (const [inputs, expected] of table) {
    const run = await world.run(job(`- uses: actions/checkout@v4\n  with: { ${inputs} }\n- run: ${look}`))
    t.ok(run.log('a').includes(`\n${expected}\n`), `with ${inputs}`)
  }
  const full = await world.run(
    job(
      `
- uses: actions/checkout@v4
  with: { ref: "${head}", fetch-depth: 0, path: code }
- run: git diff --name-only "$(git merge-base origin/main ${head})" ${head}; git tag
  working-directory: code
- uses: actions/checkout@v4.2.2
  with: { path: again }
- run: ls; ls again
`.trim(),
    ),
  )
  t.match(full.log('a'), /^stacks\/topic\.txt\nv1$/m)
  t.match(full.log('a'), /^again\ncode\nbase\.txt\nmain\.txt\nstacks$/m)
  const dispatched = await world.run(job(`- uses: actions/checkout@v4\n- run: ${look}`), {
    event: 'workflow_dispatch',
    workflowText: `on: workflow_dispatch\n${job(`- uses: actions/checkout@v4\n- run: ${look}`)}`,
    ref: 'refs/heads/main',
    sha: base,
  })
  t.match(dispatched.log('a'), new RegExp(`^at ${base} on main of 1$`, 'm'), 'the commit that triggered, not the tip')
})

t.test('checkout says what it will not do', async (t) => {
  const world = createWorld(t)
  const table = [
    ['ref: nowhere', /a branch or tag with the name 'nowhere' could not be found/],
    [`ref: "${'0'.repeat(40)}"`, /git fetch ended with 128/],
    ['path: ../../..', /path '..\/..\/..' is not under/],
    ['path: /tmp', /is not under/],
    ['repository: octo/modules', /checking out another repository \('octo\/modules'\)/],
    ['lfs: true', /input lfs is not supported/],
    ['fetch-depth: all', /input fetch-depth/],
  ] as const
  for (const [inputs, message] of table) {
    const run = await world.run(job(`- uses: actions/checkout@v4\n  with: { ${inputs} }`))
    t.equal(run.conclusion, 'failure')
    t.match(run.log('a'), message)
  }
})

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

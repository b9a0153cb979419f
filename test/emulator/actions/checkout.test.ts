// biome-ignore-all lint/suspicious/noTemplateCurlyInString: workflow files write expressions that way
import t from 'tap'
import { createWorld, job } from './actions-host.ts'

t.test('checkout takes the requested ref', async (t) => {
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

t.test('checkout says what it does not support', async (t) => {
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

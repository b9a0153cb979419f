import { existsSync, readFileSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { runLister } from '#runner/listing/run-lister.ts'
import { resource } from './checkout.ts'
import { clientFor, directoryFor, jobEnvironment, type RunOptions } from './client.ts'
import { git, write } from './job/planning.ts'

/* discover.command: whose is run, and how it goes wrong. */

const listing = (...paths: string[]) => JSON.stringify({ version: 1, stacks: paths.map((path) => ({ path })) })
const config = (command?: string) =>
  `version: 1\n${command === undefined ? '' : `discover: { command: ${JSON.stringify(command)} }\n`}`
const printing = (...paths: string[]) => `echo '${listing(...paths)}'`

/** A clone of a repository, with another branch checked out whose svc.yml may differ. */
const cloneOf = (t: Test, onMain: string, onBranch: string) => {
  const dir = directoryFor(t)
  const [origin, root] = [join(dir, 'origin'), join(dir, 'clone')]
  write(origin, { 'svc.yml': onMain, 'found/main.tf': resource('a') })
  git(origin, 'init', '-q', '-b', 'main')
  git(origin, 'add', '.')
  git(origin, 'commit', '-q', '-m', 'one')
  git(dir, 'clone', '-q', 'origin', 'clone')
  git(root, 'checkout', '-q', '-b', 'change')
  write(root, { 'svc.yml': onBranch, 'found/new.tf': resource('b') })
  git(root, 'add', '.')
  git(root, 'commit', '-q', '--allow-empty', '-m', 'two')
  const client = clientFor(t)
  const run = (args: string[], env: Record<string, string> = {}, asProcess?: RunOptions['asProcess']) =>
    client.run(args, { cwd: root, env, ...(asProcess === undefined ? {} : { asProcess }) })
  const keys = async (...args: string[]) => {
    const ran = await run(['scan', '--json', ...args])
    return { ...ran, keys: (ran.json.stacks as { key: string }[]).map(({ key }) => key) }
  }
  return { dir, root, run, keys }
}

t.test('only the default branch says which command is run', async (t) => {
  const cases: [main: string | undefined, branch: string | undefined, found: string[], says: RegExp | undefined][] = [
    [printing('listed'), printing('listed'), ['found', 'listed'], undefined],
    [undefined, 'touch ran; exit 1', ['found'], /not run: the default branch has none yet.*svc scan --trust-config/],
    [printing('old'), 'touch ran; exit 1', ['found', 'old'], /not run: the default branch's is another one/],
    [printing('old'), undefined, ['found', 'old'], undefined],
  ]
  for (const [main, branch, found, says] of cases) {
    const { keys, root } = cloneOf(t, config(main), config(branch))
    const ran = await keys()
    t.same(ran.keys, found)
    if (says === undefined) t.notMatch(ran.stderr, /discover/)
    else t.match(ran.stderr, says)
    t.notOk(existsSync(join(root, 'ran')), 'the command of the branch was not run')
  }
})

t.test('a person may trust the checkout, or give a file', async (t) => {
  const { dir, root, run, keys } = cloneOf(t, config(), config(`${printing('mine')} && touch ran`))
  t.same((await keys('--trust-config')).keys, ['found', 'mine'])
  t.ok(existsSync(join(root, 'ran')))
  writeFileSync(join(dir, 'stacks.json'), listing('from-file'))
  t.same((await keys('--discover=../stacks.json')).keys, ['found', 'from-file'])
  t.match(
    (await run(['scan', '--format=table', '--discover=../stacks.json'])).stdout,
    /FOUND BY .*\nfound +scan .*\nfrom-file +discover\.command /,
  )
  const order = await run(['order', '--discover=../stacks.json', '--changed=from-file/main.tf', '--json'])
  t.same(order.json.waves, [['from-file']])
  t.match(await run(['scan', '--discover=none.json']), {
    code: 1,
    stderr: /--discover=none\.json: there is no such file/,
  })
})

t.test('a job of a pull request runs the command of the default branch, and not its own', async (t) => {
  const tells = `test -z "$ACTIONS_ID_TOKEN_REQUEST_TOKEN$ACTIONS_ID_TOKEN_REQUEST_URL" && ${printing('listed', 'found')}`
  const { dir, root, run } = cloneOf(t, config(tells), config('touch ran'))
  git(root, 'symbolic-ref', '--delete', 'refs/remotes/origin/HEAD') // as actions/checkout leaves it
  const eventPath = join(dir, 'event.json')
  const repo = { id: 1 }
  const [head, base] = [git(root, 'rev-parse', 'HEAD'), git(root, 'rev-parse', 'origin/main')]
  const pull = { number: 1, head: { sha: head, repo }, base: { sha: base, repo } }
  writeFileSync(eventPath, JSON.stringify({ pull_request: pull, repository: { default_branch: 'main' } }))
  const env = {
    ...jobEnvironment(join(dir, 'temp')),
    ...{ GITHUB_EVENT_PATH: eventPath, SVC_URL: 'http://127.0.0.1:1', SVC_AUDIENCE: 'x' },
    ...{ ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'secret', ACTIONS_ID_TOKEN_REQUEST_URL: 'http://127.0.0.1:1/' },
  }
  const ran = await run(['resolve', '--changes-ok'], env)
  t.equal(ran.code, 0, ran.stdout)
  t.match(ran.stdout, /::warning.*discover\.command of this svc\.yml is not run/)
  t.match(JSON.parse(ran.outputs.matrix ?? '{}'), { include: [{ key: 'found' }] })
  t.notOk(existsSync(join(root, 'ran')))
})

t.test('a command that fails says how, and leaves nothing behind', async (t) => {
  const root = directoryFor(t)
  const all = { PATH: process.env.PATH ?? '', ACTIONS_RUNTIME_TOKEN: 'secret' }
  const fails = async (command: string, says: RegExp, bounds = {}) =>
    await t.rejects(runLister(command, { root, all, ...bounds }), { message: says }, command)
  await fails('echo "no such thing" >&2; exit 3', /^discover\.command `.*` ended with exit status 3:\nno such thing$/)
  await fails('kill -9 $$', /was ended by SIGKILL/)
  await fails('(sleep 60; touch late) & sleep 60', /took longer than 0\.2 seconds/, { ms: 200 })
  await fails('yes', /printed more than 1 MB/, { bytes: 1024 * 1024 })
  t.equal(await runLister('printf "%s" "$ACTIONS_RUNTIME_TOKEN$PWD"', { root, all }), root)
})

t.test('a signal ends the command, too', async (t) => {
  const command = config('trap "" INT; echo $$ > pid.part; mv pid.part pid; while :; do sleep 0.1; done')
  const { root, run } = cloneOf(t, command, command)
  const ran = await run(['scan'], {}, (child) => {
    const watcher = watch(root, () => {
      if (!existsSync(join(root, 'pid'))) return
      watcher.close()
      child.kill('SIGINT')
    })
  })
  t.equal(ran.code, 1)
  t.match(ran.stderr, /^error: discover\.command `.*` was ended, since svc was sent SIGINT\n$/)
  const pid = Number(readFileSync(join(root, 'pid'), 'utf8'))
  t.throws(() => process.kill(pid, 0), { code: 'ESRCH' })
})

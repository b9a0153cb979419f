import t from 'tap'
import { commands } from '#runner/commands/index.ts'
import { described } from '#runner/listed.ts'
import { checkoutOf } from './checkout.ts'

t.test('every command says how it is used', async (t) => {
  const { run, start } = checkoutOf(t)
  const help = await start(['--help'])
  t.equal(help.code, 0)
  for (const { name, says } of commands) t.ok(help.stdout.includes(`  ${name}`) && help.stdout.includes(says), name)
  await Promise.all(
    (await described(commands)).map(async ({ name, flags }) => {
      const ran = await run([name, '--help', '--whatever'])
      t.equal(ran.code, 0, name)
      t.match(ran.stdout, new RegExp(`^Usage: svc ${name} `))
      for (const flag of Object.keys(flags)) t.ok(ran.stdout.includes(`--${flag}`), `${name} --${flag}`)
    }),
  )
  const about = await run(['help', 'apply'])
  t.equal(about.code, 0)
  t.match(about.stdout, /^Usage: svc apply .*refuses or cannot be reached, the tool is not started at all/s)
  const unknown = await start(['help', 'aply'])
  t.same([unknown.code, unknown.stderr], [1, "error: 'aply' is not a command: did you mean svc apply?\n"])
  t.match((await start(['--version'])).stdout, /^\d+\.\d+\.\d+\n$/)
  t.match((await run(['--version', '--json'])).json, { version: /^\d+\.\d+\.\d+$/ })
  t.equal((await start([])).code, 1, 'without a command it fails')
})

t.test('each command is listed under its own name', async (t) => {
  for (const { name, load } of commands) t.equal((await load()).name, name)
})

t.test('an unknown word is answered with the nearest known one', async (t) => {
  const { run, start } = checkoutOf(t)
  const table = [
    [['resovle'], /^error: 'resovle' is not a command: did you mean svc resolve\?\n$/],
    [['-v', 'scan'], /^error: -v: a command comes first/],
    [['scan', '--fromat=dot'], /^error: --fromat is not known here: did you mean --format\? \('svc scan --help' shows/],
    [['scan', '-x'], /^error: -x is not known here \('svc/],
    [['plan', '--zzz'], /^error: --zzz is not known here \('svc plan --help' shows how it is used\)\n$/],
    [['xyzzy'], /^error: 'xyzzy' is not a command \('svc --help' lists them\)\n$/],
    [['scan', 'nowhere'], /^error: .*nowhere: is not a directory\n$/],
    [['scan', '--format'], /^error: --format needs a value: --format=FORMAT/],
    [['scan', '--format', '--no-cache'], /^error: --format needs a value/],
    [['scan', '--no-cache=yes'], /^error: --no-cache takes no value/],
    [['scan', '--format=tabel'], /^error: --format=tabel: expected json, dot, mermaid, table; did you mean table\?/],
    [['scan', 'a', 'b'], /^error: 'b' is one argument too many/],
    [['scan', '--', 'x'], /^error: '--' and what follows it mean nothing here/],
    [['order', '--base=main', '--changed=a'], /^error: --changed, --base and --stack exclude each other/],
    [['order', '--base=nowhere'], /^error: git knows no commit nowhere here/],
    [['order', '--changed=../elsewhere'], /^error: --changed=\.\.\/elsewhere: is not in the repository/],
    [['order', '--config=none.yml'], /^error: there is no file .*none\.yml/],
    [['plan'], /^error: no stack is named/],
  ] as const
  await Promise.all(
    table.map(async ([args, said]) => {
      const ran = await run(args)
      t.equal(ran.code, 1, args.join(' '))
      t.match(ran.stderr, said)
      t.equal(ran.stdout, '')
    }),
  )
  const asJson = await start(['order', '--json', '--base=nowhere'])
  t.equal(asJson.code, 1)
  t.match(
    asJson.json,
    { error: { code: 'invalid', message: /knows no commit nowhere/ } },
    'with --json an error is JSON, too',
  )
})

t.test('--json may come before the command', async (t) => {
  const { run } = checkoutOf(t)
  t.match((await run(['--json', 'scan'])).json, { stacks: [{ key: 'app' }, { key: 'network' }] })
  t.match((await run(['--json', '--version'])).json, { version: /^\d/ })
  t.match((await run(['--json', 'scna'])).json, { error: { message: /did you mean svc scan/ } })
  t.equal((await run(['--json'])).code, 1)
})

t.test("colour is for terminals, and never in a job's commands", async (t) => {
  const { start } = checkoutOf(t)
  t.notMatch((await start(['order'])).stdout, '\u001b')
  t.ok((await start(['order'], { FORCE_COLOR: '1' })).stdout.startsWith('\u001b[1m2 stacks'))
  const asJson = await start(['validate', '--json', 'none.yml'], { FORCE_COLOR: '1', GITHUB_ACTIONS: 'true' })
  t.notMatch(asJson.stdout, '\u001b')
  t.match(asJson.stderr, /^::error::there is no file/)
})

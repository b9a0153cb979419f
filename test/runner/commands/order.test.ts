import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { checkoutOf, resource } from '../checkout.ts'
import { write } from '../job/planning.ts'

t.test('order says what a change affects, without the service', async (t) => {
  const { root, run } = checkoutOf(t)
  const all = await run(['order'])
  t.equal(all.code, 2)
  t.match(all.stdout, /^2 stacks in 2 waves\nWAVE {2}STACK {4}WHY/)
  const changed = await run(['order', '--changed', 'main.tf', '--json'], {}, join(root, 'network'))
  t.equal(changed.code, 2)
  t.match(changed.json, {
    waves: [['network'], ['app']],
    unconfirmed: true,
    affected: [{ reasons: ['changed'] }, { via: ['network'] }],
  })
  const none = await run(['order', '--changed=svc.yml', '--changed=nowhere/a.tf'])
  t.same([none.code, none.stdout], [0, 'no stack is affected\n'])
  t.equal(
    none.stderr,
    'warning: --changed=nowhere/a.tf: there is no nowhere/a.tf here, nor in the commit that is checked out\n',
  )
  symlinkSync('network', join(root, 'alias'))
  const linked = await run(['order', '--changed=alias/main.tf', '--json'])
  t.match(linked.json, { waves: [['network'], ['app']] }, 'a path past a link is that of the file')
  t.notMatch(linked.stderr, 'there is no')
  rmSync(join(root, 'alias'))
  t.equal((await run(['order', '--base=main'])).code, 0)
  t.match((await run(['order', '--base=mian'])).stderr, /^error: git knows no commit mian here\n$/)
  write(root, { 'app/more.tf': resource('b') })
  t.match((await run(['order', '--base=main', '--json'])).json, { waves: [['app']] }, 'new files count')
  write(root, {
    'other.yml': 'version: 1\nstacks: [{ match: app, depends_on: [network] }, { match: network, depends_on: [app] }]\n',
  })
  write(root, {
    'tags.yml': 'version: 1\nstacks: [{ match: network, tags: [base] }, { match: "**", depends_on: ["tag:base"] }]\n',
  })
  t.match((await run(['order', '--config=tags.yml', '--json'])).json, { waves: [['network'], ['app']] })
  t.match((await run(['order', '--config=tags.yml', '--stack=tag:base', '--json'])).json, { waves: [['network']] })
  t.match((await run(['order', '--stack=tag:base'])).stderr, /there is no stack tag:base/)
  t.match(
    (await run(['order', '--stack=app', '--base=main'])).stderr,
    /--changed, --base and --stack exclude each other/,
  )
  const cycle = await run(['order', '--config=other.yml', '--changed=app/more.tf'])
  t.equal(cycle.code, 1)
  t.match(cycle.stderr, /error: cycle: app → network → app/)
  rmSync(join(root, 'network/main.tf'))
  const deleted = await run(['order', '--changed=network/main.tf'])
  t.notMatch(deleted.stderr, '--changed', 'a deleted file is a change')
  write(root, { 'svc.yml': 'version: 2\n' })
  const invalid = await run(['order'])
  t.equal(invalid.code, 1)
  t.match(invalid.stderr, /^error: svc\.yml:1:10: version: expected 1\nerror: svc\.yml has a problem\n$/)
})

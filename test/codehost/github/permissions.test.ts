import t from 'tap'
import { repo, scriptedGitHub } from './scripted-github.ts'

t.test('a permission is the legacy level, whatever the role is called; a stranger has none', async (t) => {
  const level = (permission: string, role_name: string) => () => ({ json: { permission, role_name, user: {} } })
  const github = await scriptedGitHub(t, {
    'GET /repos/octo/infra/collaborators/ada/permission': level('admin', 'admin'),
    'GET /repos/octo/infra/collaborators/bob/permission': level('write', 'maintain'),
    'GET /repos/octo/infra/collaborators/cyd/permission': level('read', 'triage'),
    'GET /repos/octo/infra/collaborators/dan/permission': level('none', 'none'),
    'GET /repos/octo/infra/collaborators/eve/permission': level('owner', 'owner'),
  })
  const people = ['ada', 'bob', 'cyd', 'dan', 'nobody']
  const levels = await Promise.all(people.map((login) => github.host.permissionOf(repo, login)))
  t.same(levels, ['admin', 'write', 'read', 'none', 'none'])
  await t.rejects(github.host.permissionOf(repo, 'eve'), { code: 'unavailable' }, 'an unknown level is not guessed')
})

const no = (status: number, message: string) => () => ({ status, json: { message } })
const membership = 'GET /orgs/octo/teams/ops/memberships/ada'
const team = 'GET /orgs/octo/teams/ops'
const seesTeam = { [team]: () => ({ json: { id: 1, slug: 'ops' } }) }
type Scripts = Parameters<typeof scriptedGitHub>[1]
const memberships: [name: string, scripts: Scripts, member: boolean | undefined, requests: number][] = [
  ['active', { [membership]: () => ({ json: { state: 'active', role: 'member' } }) }, true, 1],
  ['invited, but not yet in', { [membership]: () => ({ json: { state: 'pending', role: 'member' } }) }, false, 1],
  ['not in a team that the app sees', seesTeam, false, 2],
  ['of a team that does not exist', {}, undefined, 2],
  ['of a team that the app may not ask for', { [membership]: no(403, 'Resource not accessible') }, undefined, 1],
  ['of a team that it may not look at', { [team]: no(403, 'Resource not accessible') }, undefined, 2],
]

for (const [name, scripts, member, requests] of memberships) {
  t.test(`whether a person who is ${name} is a member: ${member}`, async (t) => {
    const github = await scriptedGitHub(t, scripts)
    t.equal(await github.host.isTeamMember(42, { org: 'octo', slug: 'ops' }, 'ada'), member)
    t.equal(github.seen.length, requests)
    t.equal(github.seen[0]?.headers.authorization, 'token ghs_42')
  })
}

t.test('a team that GitHub does not answer for is not taken for a team without the member', async (t) => {
  const bad = () => ({ status: 502, text: 'Bad gateway' })
  for (const scripts of [{ [membership]: bad }, { [team]: bad }]) {
    const { host } = await scriptedGitHub(t, scripts)
    await t.rejects(host.isTeamMember(42, { org: 'octo', slug: 'ops' }, 'ada'), { code: 'unavailable' })
  }
  const limited = await scriptedGitHub(t, { [membership]: no(403, 'You have exceeded a secondary rate limit') })
  await t.rejects(limited.host.isTeamMember(42, { org: 'octo', slug: 'ops' }, 'ada'), { name: 'RetryAfter' })
})

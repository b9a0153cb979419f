import t from 'tap'
import { createResolver } from '#commands/resolving/resolver.ts'
import { until } from '#test/helpers/until.ts'
import { startWorld } from '#test/helpers/world.ts'
import { opened, stack } from '#test/scenes/scene.ts'

const upload = (repoId: number, bytes: number) => ({
  bytes: new Uint8Array(bytes),
  owner: { installationId: repoId, repoId },
  signal: new AbortController().signal,
})

/** Begins work on uploads of so many bytes, and ends it in that order; says how many were under way at most. */
const mostAtOnce = async (bytes: number): Promise<number> => {
  const resolver = createResolver()
  let [underWay, most] = [0, 0]
  const work = async (): Promise<void> => {
    underWay += 1
    most = Math.max(most, underWay)
    await new Promise((resolve) => setImmediate(resolve))
    underWay -= 1
  }
  await Promise.all([1, 1, 2, 3].map((repoId) => resolver.inTurn(upload(repoId, bytes), work)))
  await resolver.stop()
  return most
}

t.test('one large upload at a time is resolved and recorded: each takes some 60 MB meanwhile', async (t) => {
  t.equal(await mostAtOnce(2_000_000), 1)
})

t.test('small uploads wait for no other', async (t) => {
  t.equal(await mostAtOnce(100_000), 4)
})

t.test('where the code host hangs for one organisation, large uploads of others are answered', async (t) => {
  const world = await startWorld(t)
  const { github } = world
  const repository = await github.createRepository({
    owner: 'globex',
    name: 'infra',
    files: { 'svc.yml': 'version: 1\n' },
  })
  github.createInstallation({ account: 'globex', type: 'Organization' }).addRepository(repository.fullName)
  await world.settled()
  const [theirs, others] = [await opened(world), await opened({ ...world, repository })]
  const paths = Array.from({ length: 6000 }, (_, index) => `docs/${index}/${'x'.repeat(200)}.md`)
  const large = { graph: { stacks: [stack('a')] }, changed_paths: ['a/main.tf', ...paths] }
  let isAsked = false
  const hung = github.faults.add({
    kind: 'request',
    path: /^\/repos\/acme\/infra\/pulls\/\d+\/files/,
    effect: 'hang-before',
    where: () => {
      isAsked = true
      return true
    },
  })
  let isOver = false
  const waiting = theirs.job.upload(theirs.id, large).finally(() => {
    isOver = true
  })
  await until(() => isAsked)
  t.equal((await others.job.upload(others.id, large)).status, 200)
  t.notOk(isOver, 'while theirs waits')
  hung.remove()
  await waiting
})

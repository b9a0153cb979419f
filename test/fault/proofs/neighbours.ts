import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { buildImage, powersIn, startImage } from '../neighbours/image.ts'
import { isMissing } from '../neighbours/programs.ts'
import type { Ground, Proof } from './proof.ts'

const run = promisify(execFile)

const packages = {
  nginx: 'nginx-light',
  pgbouncer: 'pgbouncer',
  buildah: 'buildah',
  debootstrap: 'debootstrap',
  kubectl: 'kubernetes-client',
}

/** The service works with what stands around it in production: the image, Kubernetes' manifests, nginx and PgBouncer. */
export const neighbours: Proof = {
  usage: `neighbours [--json]

Builds the Dockerfile and starts the image as user 65532, without capabilities, on a read-only root; renders the manifests;
plays the tests behind nginx and PgBouncer. As root, with Debian's packages ${Object.values(packages).join(' ')}. About two minutes.
--json: the last line is a report.
`,
  minutes: 30,
  options: [],
  flags: ['json'],
  prove: async (ground, _options, flags) => {
    const missing = Object.entries(packages).filter(([program]) => isMissing(program))
    if (missing.length > 0) {
      console.error(`apt-get install --no-install-recommends ${missing.map(([, name]) => name).join(' ')}`)
      return false
    }
    const broken: string[] = []
    const parts = { image, manifests, tests }
    for (const [name, part] of Object.entries(parts)) {
      const begun = performance.now()
      const found = await part(ground).catch((error: Error) => [error.message.slice(0, 4000)])
      console.error(
        `${name}: ${found.length === 0 ? 'holds' : 'broken'}, ${Math.round((performance.now() - begun) / 1000)} s`,
      )
      broken.push(...found.map((fault) => `${name}: ${fault}`))
    }
    if (!flags.has('json')) for (const line of broken) console.log(line)
    console.log(JSON.stringify({ proof: 'neighbours', parts: Object.keys(parts).length, broken }))
    return broken.length === 0
  },
}

const image = async ({ dataDir, databaseUrl, later }: Ground): Promise<string[]> => {
  const { files, remove } = await buildImage(dataDir)
  later(remove)
  const broken: string[] = []
  const { uid, writes } = await powersIn(files)
  if (uid !== 65532) broken.push(`it runs as user ${uid}`)
  if (!writes.every((code) => code === 'EROFS')) broken.push(`it can write: ${writes.join(', ')}`)
  const service = await startImage(files, databaseUrl)
  try {
    for (const path of ['/healthz', '/readyz', '/setup']) {
      const { status } = await fetch(`${service.url}${path}`)
      if (status !== 200) broken.push(`${path} is ${status}`)
    }
  } finally {
    service.stop()
  }
  return broken
}

const manifests = async (): Promise<string[]> => {
  const { stdout } = await run('kubectl', ['kustomize', 'deploy/kubernetes'])
  const kinds = [...stdout.matchAll(/^kind: (\w+)$/gm)].map(([, kind]) => kind)
  return ['ConfigMap', 'Service', 'Deployment', 'PodDisruptionBudget'].flatMap((kind) =>
    kinds.includes(kind) ? [] : [`no ${kind}`],
  )
}

const tests = async (): Promise<string[]> => {
  const files = ['nginx', 'pgbouncer'].map((name) => `test/fault/neighbours/${name}.test.ts`)
  await run('node_modules/.bin/tap', files, { maxBuffer: 64e6 })
  return []
}

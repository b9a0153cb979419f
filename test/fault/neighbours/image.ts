import { execFile, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { cp, mkdir, realpath, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Without a daemon, and inside another container as well. */
const env = { ...process.env, STORAGE_DRIVER: 'vfs', BUILDAH_ISOLATION: 'chroot' }

const buildah = async (...args: string[]): Promise<string> =>
  (await run('buildah', args, { env, maxBuffer: 64e6 })).stdout.trim()

const project = new URL('../../../', import.meta.url).pathname
/** The version in the Dockerfile's first line of its own. */
const node = /^ARG NODE=(\S+)$/m.exec(readFileSync(join(project, 'Dockerfile'), 'utf8'))?.[1]
const authorities = '/etc/ssl/certs/ca-certificates.crt'

/**
 * A stand-in for the image of Node that the Dockerfile begins with, so that no registry of images is needed: Debian, our Node
 * and the npm of this machine, and its certificate authorities.
 */
const makeBase = async (dir: string, policy: string): Promise<void> => {
  const root = join(dir, 'root')
  await run('debootstrap', ['--variant=minbase', 'bookworm', root], { maxBuffer: 64e6 })
  const bin = join(root, 'usr/local/bin')
  const modules = join(root, 'usr/local/lib/node_modules')
  await mkdir(modules, { recursive: true })
  await cp(process.execPath, join(bin, 'node'))
  const npm = dirname(dirname(await realpath((await run('which', ['npm'])).stdout.trim())))
  await cp(npm, join(modules, 'npm'), { recursive: true })
  await symlink('../lib/node_modules/npm/bin/npm-cli.js', join(bin, 'npm'))
  if (existsSync(authorities)) {
    await mkdir(join(root, dirname(authorities)), { recursive: true })
    await cp(authorities, join(root, authorities), { dereference: true })
  }
  const container = await buildah('from', 'scratch')
  await buildah('add', container, root, '/')
  await buildah('config', '--env', `NODE_EXTRA_CA_CERTS=${authorities}`, container)
  await buildah('commit', '--signature-policy', policy, container, `docker.io/library/node:${node}-slim`)
  await buildah('rm', container)
}

/** Builds the Dockerfile of this checkout from the stand-in, and returns the folder of its files. */
export const buildImage = async (dir: string): Promise<{ files: string; remove(): Promise<void> }> => {
  const policy = join(dir, 'policy.json')
  await writeFile(policy, JSON.stringify({ default: [{ type: 'insecureAcceptAnything' }] }))
  await makeBase(dir, policy)
  const from = ['--signature-policy', policy, '--pull-never']
  const commit = ['--build-arg', 'SVC_COMMIT=proof']
  await buildah('bud', ...from, '--format', 'docker', '--network', 'host', ...commit, '-t', 'svc:proof', project)
  const container = await buildah('from', ...from, 'svc:proof')
  const files = await buildah('mount', container)
  return {
    files,
    remove: async () => {
      await buildah('umount', container)
      await buildah('rm', container)
      await buildah('rmi', 'svc:proof', `docker.io/library/node:${node}-slim`)
    },
  }
}

/** As root of a mount namespace of its own: the image read-only, /proc and /dev as a container has them. */
const enter = (files: string, command: string): string[] => {
  const mounts = [
    `mount --bind ${files} ${files}`,
    `mount -o remount,ro,bind ${files}`,
    `mount -t proc proc ${files}/proc`,
    `mount --bind /dev ${files}/dev`,
  ]
  const drop = 'setpriv --reuid 65532 --regid 65532 --clear-groups --no-new-privs --inh-caps=-all --bounding-set=-all'
  return ['--mount', 'sh', '-c', `${mounts.join(' && ')} && exec chroot ${files} ${drop} ${command}`]
}

/** What a program of the image can do there: its user, and the error at each attempt to write. */
export const powersIn = async (files: string): Promise<{ uid: number; writes: string[] }> => {
  const tries = ['/app/x', '/tmp/x', '/x'].map(
    (path) => `(()=>{try{fs.writeFileSync('${path}','');return 'written'}catch(e){return e.code}})()`,
  )
  const script = `console.log(JSON.stringify({uid:process.getuid(),writes:[${tries}]}))`
  const { stdout } = await run('unshare', enter(files, `node -e "${script}"`))
  return JSON.parse(stdout)
}

/** Starts the service of the image as user 65532 without capabilities on a read-only root; resolves when it listens. */
export const startImage = async (files: string, databaseUrl: string): Promise<{ url: string; stop(): void }> => {
  const child = spawn('unshare', enter(files, 'node --max-semi-space-size=8 /app/svc-server.mjs'), {
    env: {
      PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin',
      DATABASE_URL: databaseUrl,
      SVC_BASE_URL: 'https://svc.example.com',
      SVC_LISTEN: '127.0.0.1:0',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface({ input: child.stdout })) {
    const { msg, port } = JSON.parse(line) as { msg?: string; port?: number }
    if (msg === 'listening') return { url: `http://127.0.0.1:${port}`, stop: () => child.kill('SIGTERM') }
  }
  throw new Error('the service of the image ended before it listened')
}

import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { exclusively } from './postgres/exclusive.ts'

const root = join(import.meta.dirname, '../..')

/** Where a checkout has its built web interface: `npm start`, the demo and tests serve it from here. */
export const uiDirectory = join(root, 'ui/dist')

/** What the build is made of, besides the libraries, which the lock file names. */
const sources = ['ui/**/*', 'machines/*.ts', 'docs/errors.md', 'package-lock.json']

const sourcesHash = async (): Promise<string> => {
  const files = sources.flatMap((pattern) =>
    globSync(pattern, { cwd: root, exclude: ['ui/dist/**'], withFileTypes: true }),
  )
  const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name))
  const hash = createHash('sha256')
  for (const path of paths.sort())
    hash
      .update(path)
      .update('\0')
      .update(await readFile(path))
  return hash.digest('hex')
}

/** Below this a compressed form saves less than its headers. */
const smallest = 512

const compress = async (folder: string): Promise<void> => {
  const packed = async (name: string): Promise<void> => {
    const text = await readFile(join(folder, name))
    if (text.length < smallest) return
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: text.length }
    await writeFile(join(folder, `${name}.br`), await promisify(brotliCompress)(text, { params }))
    await writeFile(join(folder, `${name}.gz`), await promisify(gzip)(text, { level: 9 }))
  }
  await Promise.all((await readdir(folder)).map(packed))
}

/**
 * Builds the web interface into a directory, which is emptied first, with a gzip and a br form of each file. Vite runs in a process of
 * its own: it sets variables of the one that it is in.
 */
const buildUiInto = async (target: string): Promise<void> => {
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const args = [vite, 'build', join(root, 'ui'), '--outDir', target, '--emptyOutDir', '--logLevel', 'warn']
  const env = { ...process.env, NODE_ENV: 'production' }
  const { stderr } = await promisify(execFile)(process.execPath, args, { cwd: root, env })
  if (stderr.trim() !== '') throw new Error(`building the web interface: ${stderr.trim()}`)
  await compress(join(target, 'assets'))
}

/**
 * Builds what a checkout serves, unless it is built already from the present sources; `onBuild` is called where it is not. Processes
 * that want it at the same time build it once.
 */
export const ensureUi = (onBuild: () => void = () => {}): Promise<void> =>
  exclusively(`ui:${root}`, async () => {
    const stamp = join(uiDirectory, 'sources.txt')
    const [built, wanted] = await Promise.all([readFile(stamp, 'utf8').catch(() => ''), sourcesHash()])
    if (built === wanted) return
    onBuild()
    const fresh = join(root, 'node_modules/.cache/svc-ui')
    await mkdir(fresh, { recursive: true })
    await buildUiInto(fresh)
    await writeFile(join(fresh, 'sources.txt'), wanted)
    await rm(uiDirectory, { recursive: true, force: true })
    await rename(fresh, uiDirectory)
  })

if (import.meta.main) await ensureUi()

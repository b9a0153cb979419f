import { execFile } from 'node:child_process'
import { chmod, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build as bundle, type Plugin } from 'esbuild'
import { pageStyle } from '#http/pages/page-style.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { ensureUi, uiDirectory } from './build-ui.ts'

const root = join(import.meta.dirname, '../..')

/** Each program's source, by its name in bin/. The thread is the server's, which expects it beside itself. */
const programs = {
  svc: 'src/runner/bin.ts',
  'svc-server': 'src/main.ts',
  'resolver-thread': 'src/commands/resolving/resolver-thread.ts',
  action: 'src/runner/action.ts',
} as const

/** CommonJS libraries call `require`, which a module does not have. */
const banner = "import { createRequire } from 'node:module'\nconst require = createRequire(import.meta.url)"

/**
 * Node's own modules are required, not imported. A name that an older Node does not have would make it refuse the whole file as a
 * SyntaxError, before the program can say that it is too old.
 */
const requiredBuiltins: Plugin = {
  name: 'required-builtins',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^node:/ }, ({ path, namespace }) =>
      namespace === 'builtin' ? { path, external: true } : { path, namespace: 'builtin' },
    )
    onLoad({ filter: /^/, namespace: 'builtin' }, ({ path }) => ({ contents: `module.exports = require('${path}')` }))
  },
}

const textsOf = async (folder: string, suffix: string): Promise<Record<string, string>> => {
  const names = (await readdir(join(root, folder))).filter((name) => name.endsWith(suffix))
  const texts = names.map(async (name) => [name, await readFile(join(root, folder, name), 'utf8')] as const)
  return Object.fromEntries(await Promise.all(texts))
}

/** The commit is left out when the tree differs from it: people would look for a bug in the wrong code. */
const commitOf = async (): Promise<string> => {
  const git = (...args: string[]) => promisify(execFile)('git', ['-C', root, ...args])
  try {
    const [{ stdout: commit }, { stdout: changed }] = await Promise.all([
      git('rev-parse', 'HEAD'),
      git('status', '--porcelain', '--untracked-files=no'),
    ])
    return changed === '' ? commit.trim() : `${commit.trim()}-dirty`
  } catch {
    return 'unknown'
  }
}

/**
 * One character beyond ASCII makes V8 keep the whole source at two bytes a character: 6.5 MB of an idle service. esbuild
 * leaves them only in comments; anywhere else an escape would mean the same.
 */
const inAscii = (text: string): string =>
  text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** The package as it is published: programs without dependencies, since the files contain them all. */
const published = (): object => {
  const { name, version, description, license } = packageJson
  const bin = { svc: 'bin/svc.mjs', 'svc-server': 'bin/svc-server.mjs' }
  return { name, version, description, license, type: 'module', bin, files: ['bin'], engines: { node: '>=24' } }
}

/**
 * Writes the release into `target`, which is emptied first: bin/ with one file a program, run by Node 24 with nothing
 * installed, the web interface that the server has beside it, and the package.json to publish it under. `commit` is what build_info says; by default the checkout's. Nothing
 * is minified: it would save the client none of the 70 ms of a start, and cost the names and lines of every stack trace.
 */
export const buildInto = async (target: string, commit?: string): Promise<void> => {
  await rm(target, { recursive: true, force: true })
  const given = {
    bundledCommit: commit ?? (await commitOf()),
    bundledMigrations: await textsOf('migrations', '.sql'),
    bundledWorkflows: await textsOf('src/runner/workflows', '.yml'),
    bundledPageStyle: pageStyle,
  }
  const bin = join(target, 'bin')
  const { outputFiles } = await bundle({
    write: false,
    absWorkingDir: root,
    entryPoints: Object.entries(programs).map(([out, path]) => ({ in: path, out })),
    outdir: bin,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    banner: { js: banner },
    plugins: [requiredBuiltins],
    define: Object.fromEntries(Object.entries(given).map(([name, value]) => [name, JSON.stringify(value)])),
    // pg uses it if somebody installed it
    external: ['pg-native'],
    logLevel: 'warning',
    logLimit: 0,
  })
  await mkdir(bin, { recursive: true })
  for (const { path, text } of outputFiles) await writeFile(path, inAscii(text))
  for (const name of ['svc', 'svc-server']) await chmod(join(bin, `${name}.mjs`), 0o755)
  await ensureUi()
  for (const name of ['index.html', 'assets'])
    await cp(join(uiDirectory, name), join(bin, 'ui', name), { recursive: true })
  await writeFile(join(target, 'package.json'), `${JSON.stringify(published(), undefined, 2)}\n`)
  for (const name of ['LICENSE', 'README.md']) await cp(join(root, name), join(target, name))
}

if (import.meta.main) {
  const target = join(root, 'dist')
  await mkdir(target, { recursive: true })
  await buildInto(target, process.env.SVC_COMMIT?.trim() || undefined)
}

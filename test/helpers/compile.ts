import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** A file of the project as it would be: the whole text of a new one, or what is made of the text that it has. */
export type Change = string | ((text: string) => string)

/** An error of the compiler: where, the line of source that it is about, and what it says. */
export type Failure = { file: string; line: number; source: string; message: string }

/**
 * What the compiler says of the project with these changes, by their paths in the checkout. It compiles the changed files, those
 * named besides, and all that they import: some 2 s, where the whole project takes 5. All changes of a test file are best
 * compiled at once.
 */
export const compile = async (changes: Record<string, Change>, besides: string[] = []): Promise<Failure[]> => {
  const copy = await mkdtemp(join(tmpdir(), 'svc-compile-'))
  try {
    for (const each of ['src', 'machines', 'package.json', 'tsconfig.json'])
      await cp(join(root, each), join(copy, each), { recursive: true })
    await symlink(join(root, 'node_modules'), join(copy, 'node_modules'))
    for (const [path, change] of Object.entries(changes)) await make(join(copy, path), change)
    const project = { extends: './tsconfig.json', include: [], files: [...Object.keys(changes), ...besides] }
    await writeFile(join(copy, 'tsconfig.changes.json'), JSON.stringify(project))
    return await Promise.all(read(await run(copy, 'tsconfig.changes.json')).map((failure) => withSource(copy, failure)))
  } finally {
    await rm(copy, { recursive: true })
  }
}

const make = async (path: string, change: Change): Promise<void> => {
  await mkdir(dirname(path), { recursive: true })
  if (typeof change === 'string') return writeFile(path, change)
  const before = await readFile(path, 'utf8')
  const after = change(before)
  if (after === before) throw new Error(`the change of ${path} changes nothing: its text is not in the file`)
  return writeFile(path, after)
}

const tsc = join(root, 'node_modules/typescript/bin/tsc')

/**
 * What tsc prints, an error a line; rejects where it did not get as far as that. Through env(1), because tap has every Node
 * process load its own loader, whatever environment is asked for, and the compiler does not start under it.
 */
const run = (cwd: string, project: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const args = ['NODE_OPTIONS=', process.execPath, tsc, '--noEmit', '--pretty', 'false', '-p', project]
    execFile('env', args, { cwd }, (error, out, err) =>
      error && !/error TS/.test(out) ? reject(new Error(`tsc: ${out}${err}`, { cause: error })) : resolve(out),
    )
  })

const read = (printed: string): Omit<Failure, 'source'>[] => {
  const found = printed.matchAll(/^(?:(\S.*)\((\d+),\d+\): )?error (TS\d+: .*)$/gm)
  return [...found].map(([, file = '', line, message = '']) => ({ file, line: Number(line ?? 0), message }))
}

const withSource = async (copy: string, failure: Omit<Failure, 'source'>): Promise<Failure> => {
  if (failure.file === '') throw new Error(`tsc: ${failure.message}`)
  const lines = (await readFile(join(copy, failure.file), 'utf8')).split('\n')
  return { ...failure, source: (lines[failure.line - 1] ?? '').trim() }
}

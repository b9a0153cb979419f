import { dirname, relative } from 'node:path/posix'
import { pathFrom } from '#domain/keys.ts'

/*
 * Terragrunt's functions return absolute paths, which differ from machine to machine. Here they begin with a top directory that no
 * path can have, so that what is made of them is known if and only if it leads into the repository.
 */

const TOP = '/\0'

/** The absolute path of a path in the repository. */
export const absolute = (path: string): string => (path === '.' ? TOP : `${TOP}/${path}`)

/** The path in the repository that is written in a directory; undefined outside of the repository. */
export const placeFrom = (directory: string, written: string): string | undefined => {
  if (written.startsWith(TOP)) {
    const below = written.slice(TOP.length)
    return below === '' ? '.' : below.startsWith('/') && !below.includes('\0') ? pathFrom('.', `.${below}`) : undefined
  }
  return written.includes('\0') ? undefined : pathFrom(directory, written)
}

/** Whether a text depends on where the repository lies on this machine. */
export const isOfMachine = (text: string): boolean => text.includes('\0')

/** The path of a name in a directory. */
export const below = (directory: string, name: string): string => (directory === '.' ? name : `${directory}/${name}`)

export const directoryOf = (path: string): string => dirname(path)

/** As Go's filepath.Rel. */
export const relativePath = (from: string, to: string): string => relative(`/${from}`, `/${to}`) || '.'

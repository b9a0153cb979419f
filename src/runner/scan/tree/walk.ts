import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Directories that hold no stack: hidden ones (.git, .terraform and the like) and installed packages. */
export const isSkippedDirectory = (name: string): boolean => name.startsWith('.') || name === 'node_modules'

/** The repository-relative paths of all regular files, for a tree that git does not know; links are not followed. */
export const walk = (dir: string): string[] => {
  const files: string[] = []
  const below: string[] = ['']
  for (let at = below.pop(); at !== undefined; at = below.pop()) {
    for (const entry of readdirSync(join(dir, at), { withFileTypes: true })) {
      const path = at === '' ? entry.name : `${at}/${entry.name}`
      if (entry.isFile()) files.push(path)
      else if (entry.isDirectory() && !isSkippedDirectory(entry.name)) below.push(path)
    }
  }
  return files
}

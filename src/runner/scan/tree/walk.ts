import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Listing } from './git-files.ts'

/** Directories that hold no stack: hidden ones (.git, .terraform and the like) and installed packages. */
export const isSkippedDirectory = (name: string): boolean => name.startsWith('.') || name === 'node_modules'

/** Whether no directory above a path is one of these. */
export const isVisible = (path: string): boolean => !path.split('/').slice(0, -1).some(isSkippedDirectory)

/** What a directory consists of that git does not know: its regular files and its links, which are not walked through. */
export const walk = (dir: string): Listing => {
  const listing: Listing = { files: new Map(), links: new Set(), submodules: new Set() }
  const below: string[] = ['']
  for (let at = below.pop(); at !== undefined; at = below.pop()) {
    for (const entry of readdirSync(join(dir, at), { withFileTypes: true })) {
      const path = at === '' ? entry.name : `${at}/${entry.name}`
      if (entry.isFile()) listing.files.set(path, undefined)
      else if (entry.isSymbolicLink()) listing.links.add(path)
      else if (entry.isDirectory() && !isSkippedDirectory(entry.name)) below.push(path)
    }
  }
  return listing
}

import type { RepoConfig } from '#domain/config/config-file.ts'
import { entriesOf } from '#domain/config/stack-config.ts'
import type { StackNode } from '#domain/graph/graph.ts'
import type { Tree } from '../scan/tree/tree.ts'
import { type NameTree, nameTree } from './name-tree.ts'

type StackEntry = RepoConfig['stacks'][number]

/** What a scan found of a tree. */
export type SeenTree = {
  /** `owner/name`. */
  repo: string
  /** Of this repository. */
  stacks: readonly StackNode[]
  /** Directories where no file makes an instance, though `instances.from` asks for one. */
  withoutFiles: readonly string[]
  tree: Tree
}

/** The same, with what the looks at svc.yml share. */
export type Seen = SeenTree & {
  config: RepoConfig
  /** Of files, sorted. */
  paths: readonly string[]
  directories: ReadonlySet<string>
  /** Names of directories of stacks, of stacks, and of files. */
  names: { directories: NameTree; keys: NameTree; files: NameTree }
  /** The entries that apply to a directory, with where they are in the file. */
  entriesOf: (path: string) => readonly { i: number; entry: StackEntry }[]
  /** Whether one more comparison of a glob with so many characters may be made. */
  mayCompare: (glob: string, chars: number) => boolean
  isCut: () => boolean
}

/** Pairs of characters, a few ns each, as for the globs of depends_on. */
const MAX_WORK = 500_000_000

export const seenBy = (config: RepoConfig, found: SeenTree): Seen => {
  const { stacks, withoutFiles, tree } = found
  const paths = [...tree.paths(), ...tree.submodules].sort()
  const directories = new Set([...stacks.map(({ path }) => path), ...withoutFiles])
  const numbers = new Map(config.stacks.map((entry, i) => [entry, i]))
  let work = 0
  return {
    ...found,
    config,
    paths,
    directories,
    names: {
      directories: nameTree(directories),
      keys: nameTree([...stacks.map(({ key }) => key), ...directories]),
      files: nameTree([...paths, ...tree.links.all.keys()]),
    },
    entriesOf: (path) => entriesOf(config, path).map((entry) => ({ i: numbers.get(entry) ?? 0, entry })),
    mayCompare: (glob, chars) => {
      work += glob.length * chars
      return work <= MAX_WORK
    },
    isCut: () => work > MAX_WORK,
  }
}

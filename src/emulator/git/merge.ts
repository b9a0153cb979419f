import { tryGit } from './run-git.ts'

/** The tree of the merge of two commits; undefined if they conflict. */
export const mergeTrees = async (dir: string, ours: string, theirs: string): Promise<string | undefined> => {
  const { code, output, errors } = await tryGit(dir, ['merge-tree', '--write-tree', ours, theirs])
  if (code === 1) return undefined
  if (code !== 0) throw new Error(`merging ${theirs} into ${ours}: ${errors.trim()}`)
  return output.toString().split('\n', 1)[0]?.trim()
}

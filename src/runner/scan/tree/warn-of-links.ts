import type { Warn } from '../warning.ts'
import { sourceFile } from './source-file.ts'
import type { Tree } from './tree.ts'
import { isVisible } from './walk.ts'

/** Warns of links that lead out of the repository or in a circle, and of configuration that is not where its link says. */
export const warnOfLinks = ({ links, has }: Tree, warn: Warn): void => {
  const say = (file: string, what: string): void =>
    warn({ code: 'link_unresolved', message: `${file} is a link ${what}, so it is not read`, file })
  for (const [path, target] of links.all) {
    if (!isVisible(path)) continue
    const found = links.follow(path)
    if (found === 'outward') say(path, `that leads out of the repository, to ${target}`)
    else if (found === 'circle') say(path, `that leads in a circle, over ${target}`)
    else if (sourceFile(path) !== undefined && !has(path)) say(path, `to ${target}, which is no file of the repository`)
  }
}

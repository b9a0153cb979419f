import type { Does } from './heading.ts'
import type { Outline, Resource } from './outline.ts'
import { doings } from './sign.ts'

export type Listed = { does: Does; resources: readonly Resource[] }

/** The resources of a plan by what is done with them, destroys first. */
export const listOf = ({ sections }: Outline): Listed[] => {
  const resources = sections.filter((section): section is Resource => section.kind === 'resource')
  const byDoing = Map.groupBy(resources, ({ does }) => does)
  return doings.flatMap((does) => {
    const some = byDoing.get(does)
    return some === undefined ? [] : [{ does, resources: some }]
  })
}

/** `4.0 KB`, `1.9 MB`. */
export const sizeWords = (bytes: number): string => {
  if (bytes < 1024) return `${bytes} bytes`
  return bytes < 1024 * 1024
    ? `${(bytes / 1024).toFixed(bytes < 10_240 ? 1 : 0)} KB`
    : `${(bytes / 1024 / 1024).toFixed(1)} MB`
}

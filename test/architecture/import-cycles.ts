import type { SourceFile } from '#test/helpers/source-files.ts'

/** The sets of nodes that can reach one another (Tarjan), each spelled with ↔. A node that leads to itself is one, too. */
export const cycles = (edges: ReadonlyMap<string, ReadonlySet<string>>): string[] => {
  const order = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const found: string[] = []
  const visit = (node: string): number => {
    order.set(node, order.size)
    low.set(node, order.get(node)!)
    stack.push(node)
    for (const to of edges.get(node)!) {
      if (!edges.has(to)) continue
      if (!order.has(to)) low.set(node, Math.min(low.get(node)!, visit(to)))
      else if (stack.includes(to)) low.set(node, Math.min(low.get(node)!, order.get(to)!))
      if (to === node) found.push(`${node} imports itself`)
    }
    if (low.get(node) === order.get(node)) {
      const members = stack.splice(stack.indexOf(node))
      if (members.length > 1) found.push(members.join(' ↔ '))
    }
    return low.get(node)!
  }
  for (const node of edges.keys()) if (!order.has(node)) visit(node)
  return found
}

/** What each file imports. */
export const importsOf = (all: readonly SourceFile[]): Map<string, Set<string>> =>
  new Map(all.map(({ path, imports }) => [path, new Set(imports.map(({ to }) => to))]))

/**
 * What the rooms of one folder import from each other, for every folder that has rooms. A folder's own files are left out: a
 * table of handlers imports the rooms below it, and they import what they all share.
 */
const roomsOf = (all: readonly SourceFile[]): Map<string, Map<string, Set<string>>> => {
  const known = new Set(all.map(({ path }) => path))
  const folders = new Map<string, Map<string, Set<string>>>()
  for (const { path, imports } of all) {
    for (const [folder, room] of roomsAround(path)) {
      const rooms = folders.get(folder) ?? new Map<string, Set<string>>()
      const others = imports.filter(({ to }) => known.has(to)).map(({ to }) => roomBelow(folder, to))
      const seen = others.filter((other) => other !== undefined && other !== room) as string[]
      folders.set(folder, rooms.set(room, new Set([...(rooms.get(room) ?? []), ...seen])))
    }
  }
  return folders
}

const roomBelow = (folder: string, path: string): string | undefined => {
  const [room, ...rest] = path.startsWith(`${folder}/`) ? path.slice(folder.length + 1).split('/') : []
  return rest.length > 0 ? room : undefined
}

/** Each folder that a file is somewhere below, with the room of that folder. */
const roomsAround = (path: string): [folder: string, room: string][] => {
  const parts = path.split('/').slice(0, -1)
  return parts.slice(1).map((room, i) => [parts.slice(0, i + 1).join('/'), room])
}

/** The cycles between the rooms of any folder. */
export const roomCycles = (all: readonly SourceFile[]): string[] =>
  [...roomsOf(all)].flatMap(([folder, rooms]) => cycles(rooms).map((cycle) => `${folder}: ${cycle}`))

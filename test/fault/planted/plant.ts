import { cp, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PlantedFault } from './faults.ts'

const root = join(import.meta.dirname, '../../..')

const copied = ['src', 'machines', 'migrations', 'test', 'ui', 'package.json', 'tsconfig.json', '.taprc']

/** Copies the source tree into an empty folder; what it depends on is linked. */
export const copyTree = async (to: string): Promise<void> => {
  for (const name of copied)
    await cp(join(root, name), join(to, name), { recursive: true }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
  await symlink(join(root, 'node_modules'), join(to, 'node_modules'))
}

/** The text with the fault in it. Throws where the text to be replaced is not there once: a fault that is not planted proves nothing. */
export const planted = (text: string, { name, file, from, to }: PlantedFault): string => {
  const count = text.split(from).length - 1
  if (count !== 1) throw new Error(`${name} cannot be planted: ${file} has its text ${count} times, not once:\n${from}`)
  return text.replace(from, () => to)
}

/** Plants a fault in a tree; the returned function takes it out again. */
export const plant = async (tree: string, fault: PlantedFault): Promise<() => Promise<void>> => {
  const path = join(tree, fault.file)
  const before = await readFile(path, 'utf8')
  await writeFile(path, planted(before, fault))
  return () => writeFile(path, before)
}

/** The same in this checkout, without writing anything. */
export const canBePlanted = async (fault: PlantedFault): Promise<void> => {
  planted(await readFile(join(root, fault.file), 'utf8'), fault)
}

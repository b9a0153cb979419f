import { readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { StackResult } from '#api/runs/stack-result.ts'
import { Problem } from '#errors.ts'
import type { WorkDir } from './work-dir.ts'

const HeldResult = z.object({
  key: z.string(),
  /** Undefined if svc resolve could not register one. */
  run_id: z.string().optional(),
  /** Whether the service has it. */
  reported: z.boolean(),
  /** Whether the service refused the job: then nothing is reported of it either. */
  refused: z.boolean().optional(),
  result: StackResult,
})

/** A stack's result as a step leaves it for svc report. */
export type HeldResult = z.infer<typeof HeldResult>

const read = async (path: string): Promise<HeldResult | undefined> => {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch {
    return undefined
  }
  try {
    return HeldResult.parse(JSON.parse(text))
  } catch (cause) {
    throw new Problem('invalid', `${path} is not a result that svc kept`, { cause })
  }
}

export const readHeld = (work: WorkDir, key: string): Promise<HeldResult | undefined> => read(work.result(key))

export const readAllHeld = async (work: WorkDir): Promise<HeldResult[]> => {
  const names = (await readdir(work.results)).filter((name) => name.endsWith('.json')).sort()
  const held = await Promise.all(names.map((name) => read(join(work.results, name))))
  return held.filter((one) => one !== undefined)
}

/** Written aside and renamed: a job killed meanwhile leaves a whole result or none. */
export const holdResult = async (work: WorkDir, held: HeldResult): Promise<void> => {
  const path = work.result(held.key)
  await writeFile(`${path}.part`, JSON.stringify(held), { mode: 0o600 })
  await rename(`${path}.part`, path)
}

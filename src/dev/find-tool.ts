import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'

/** The first executable program of that name on PATH. */
const findOnPath = async (name: string): Promise<string | undefined> => {
  for (const dir of (process.env.PATH ?? '').split(delimiter).filter(Boolean)) {
    const path = join(dir, name)
    const found = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (found) return path
  }
  return undefined
}

/** Path of the planning tool: terraform, else tofu, else none. */
export const findTool = async (): Promise<string | undefined> =>
  (await findOnPath('terraform')) ?? (await findOnPath('tofu'))

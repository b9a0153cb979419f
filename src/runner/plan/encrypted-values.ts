import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { valuesFilesOf } from '../mask/values-files.ts'
import { encryptedBy } from '../scan/tree/encrypted.ts'
import { Failed } from '../tool/failed.ts'
import type { StackWork } from '../tool/run-tool.ts'

const encryptionOf = (path: string): ReturnType<typeof encryptedBy> => {
  try {
    return encryptedBy(readFileSync(path, 'utf8'))
  } catch {
    // The tool says of a file that it cannot read why not.
    return undefined
  }
}

const REMEDY = "decrypt it in a step before svc's, or by before_init"

/**
 * Looks for files of values that nobody decrypted. One of git-crypt is no text, so no plan is tried. One of sops may be: the tool
 * would take the cipher texts for values, and the note that is returned is for a plan that fails on it.
 */
export const tellEncrypted = ({ job, output }: StackWork): string => {
  const found = valuesFilesOf(job).flatMap((file) => {
    const by = encryptionOf(resolve(job.directory, file))
    return by === undefined ? [] : [{ by, says: `${file} is encrypted by ${by}` }]
  })
  const unreadable = found.find(({ by }) => by === 'git-crypt')
  if (unreadable !== undefined)
    throw new Failed('failure', `${unreadable.says}, so ${job.program} cannot read it: ${REMEDY}`)
  for (const { says } of found)
    output.warn(`${job.key}: ${says}, so ${job.program} is not given the values that it stands for: ${REMEDY}`)
  return found.map(({ says }) => `: ${says}; ${REMEDY}`).join('')
}

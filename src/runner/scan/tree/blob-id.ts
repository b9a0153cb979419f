import { createHash } from 'node:crypto'

/**
 * The id git gives a file's contents, so that a tree read without git hashes as the same tree in git does.
 * @param algorithm that of the repository's object format: sha1 but for repositories made with `--object-format=sha256`.
 */
export const blobId = (contents: Buffer, algorithm: 'sha1' | 'sha256'): string =>
  createHash(algorithm).update(`blob ${contents.length}\0`).update(contents).digest('hex')

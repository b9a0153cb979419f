import { createHash } from 'node:crypto'

/**
 * The id git gives a file's contents. A tree read without git therefore hashes like the same tree in git.
 * @param algorithm of the repository's object format: sha1, or sha256 if it was made with `--object-format=sha256`.
 */
export const blobId = (contents: Buffer, algorithm: 'sha1' | 'sha256'): string =>
  createHash(algorithm).update(`blob ${contents.length}\0`).update(contents).digest('hex')

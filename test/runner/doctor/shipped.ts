import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A workflow as svc ships it, with the action that puts svc on the PATH. */
export const shipped = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../../../src/runner/workflows', name), 'utf8').replaceAll(
    '# The action that puts svc on the PATH goes here.',
    '- uses: acme/svc@v1',
  )

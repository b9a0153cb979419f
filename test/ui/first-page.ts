import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { uiDirectory } from '#dev/build-ui.ts'

/** A file of the build as gzip has it: br is smaller, and what is too small for either is sent as it is. */
export const gzippedBytes = (name: string): number => {
  const path = join(uiDirectory, 'assets', name)
  return statSync(existsSync(`${path}.gz`) ? `${path}.gz` : path).size
}

/** The files that the first page takes of a browser without any: what it asks for until it shows a repository, the document aside. */
export const filesOfFirstPage = async (page: Page): Promise<string[]> => {
  const asked = new Set<string>()
  page.on('request', (request) => asked.add(new URL(request.url()).pathname))
  await page.goto('/')
  await page.getByText('acme/infra').first().waitFor()
  return [...asked].flatMap((path) => (path.startsWith('/assets/') ? [path.slice('/assets/'.length)] : []))
}

export const kilobytesOf = (names: readonly string[]): number =>
  names.reduce((sum, name) => sum + gzippedBytes(name), 0) / 1024

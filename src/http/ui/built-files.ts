import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'

/** A file that the pages load, in the forms that the build made of it. */
export type Asset = { type: string; file: string; br: string | undefined; gzip: string | undefined }

/** The web interface as it was built (src/dev/build-ui.ts): its document, and its other files by their names. */
export type BuiltUi = { document: string; assets: ReadonlyMap<string, Asset> }

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.md': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/**
 * Reads which files there are; undefined where nothing was built. Each is read again when it is asked for: a browser asks once a
 * build, and 1 MB more of an idle service would serve nobody.
 */
export const readBuiltUi = async (directory: string): Promise<BuiltUi | undefined> => {
  try {
    const folder = join(directory, 'assets')
    const [document, names] = await Promise.all([
      readFile(join(directory, 'index.html'), 'utf8'),
      readdir(folder).then((all) => new Set(all)),
    ])
    const formOf = (name: string): string | undefined => (names.has(name) ? join(folder, name) : undefined)
    const assets = [...names].flatMap((name): [string, Asset][] => {
      const type = types[extname(name)]
      if (type === undefined) return []
      return [[name, { type, file: join(folder, name), br: formOf(`${name}.br`), gzip: formOf(`${name}.gz`) }]]
    })
    return { document, assets: new Map(assets) }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

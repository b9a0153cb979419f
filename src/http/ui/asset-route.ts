import { readFile } from 'node:fs/promises'
import { Problem } from '#errors.ts'
import type { App } from '../app.ts'
import { acceptedEncoding } from './accepted-encoding.ts'
import type { BuiltUi } from './built-files.ts'

/**
 * GET /assets/{name}: the files that the pages load. Their names change with what is in them, so a browser keeps them for a year
 * and never asks again. What an older build named is 404: the page then loads the present one.
 */
export const addAssetRoute = (app: App, { assets }: BuiltUi): void => {
  const config = { callers: ['anyone'] as const }
  app.get<{ Params: { name: string } }>('/assets/:name', { config, schema: { hide: true } }, async (request, reply) => {
    const { name } = request.params
    const asset = assets.get(name)
    if (!asset) throw new Problem('not_found', `no part of this build is named ${name}`)
    const encoding = acceptedEncoding(request.headers['accept-encoding'])
    const encoded = encoding && asset[encoding]
    if (encoded !== undefined) reply.header('content-encoding', encoding)
    return reply
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('vary', 'accept-encoding')
      .type(asset.type)
      .send(await readFile(encoded ?? asset.file))
  })
}

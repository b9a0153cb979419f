import t from 'tap'
import { serve } from '#test/scenes/served.ts'

const { send } = await serve(t)

t.test('where the web interface is not built every other path says so, without scripts', async (t) => {
  for (const path of ['/', '/runs/1', '/anything/else?x=1', '/v1x', '/authors']) {
    const { status, headers, text } = await send(path)
    t.equal(status, 200, path)
    t.equal(headers.get('content-type'), 'text/html; charset=utf-8', path)
    t.match(text, /svc.*version 1\.2\.3.*https:\/\/svc\.example\.com\/v1\/openapi\.json/s, path)
    t.match(text, /web interface is not here.*npm run build/s, path)
    t.notMatch(text, /<script/, path)
    t.match(text, /--accent: light-dark\(.*\.button-main/s, 'it looks like the web interface')
    t.match(
      headers.get('content-security-policy'),
      /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'none'; base-uri/,
      path,
    )
  }
  t.match(await send('/', { method: 'HEAD' }), { status: 200, text: '' })
})

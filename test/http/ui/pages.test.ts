import { brotliCompressSync, gzipSync } from 'node:zlib'
import t from 'tap'
import { readBuiltUi } from '#http/ui/built-files.ts'
import { serve } from '#test/scenes/served.ts'

const script = 'console.log(1)\n'.repeat(99)
const directory = t.testdir({
  'index.html': '<html data-base="./"><script src="./assets/main-1.js"></script></html>',
  'sources.txt': 'none of the pages',
  assets: {
    'main-1.js': script,
    'main-1.js.br': brotliCompressSync(script),
    'main-1.js.gz': gzipSync(script),
    'small-2.css': 'a{}',
    'x.exe': '',
  },
})
const ui = await readBuiltUi(directory)
const { send } = await serve(t, { ui })

t.test('every page is the document, which the browser keeps only if it is still the same', async (t) => {
  for (const path of ['/', '/runs/1', '/repos/a/b?q=x', '/v1x', '/authors', '/nothing/of/ours']) {
    const { status, headers, text } = await send(path)
    t.equal(status, 200, path)
    t.equal(headers.get('content-type'), 'text/html; charset=utf-8', path)
    t.equal(headers.get('cache-control'), 'no-cache', path)
    t.equal(text, '<html data-base="/"><script src="/assets/main-1.js"></script></html>', path)
  }
  const etag = (await send('/')).headers.get('etag') ?? ''
  for (const tag of [etag, `W/${etag}`, `"other", ${etag}`]) {
    const again = await send('/runs/2', { headers: { 'if-none-match': tag } })
    t.match([again.status, again.text, again.headers.get('etag')], [304, '', etag], tag)
  }
  t.equal((await send('/', { headers: { 'if-none-match': '"other"' } })).status, 200)
  t.match(await send('/', { method: 'HEAD' }), { status: 200, text: '' })
})

t.test('its policy lets it run and load what is its own, and make no code or markup of text', async (t) => {
  const policy = (await send('/')).headers.get('content-security-policy')
  t.equal(
    policy,
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; worker-src 'self'; " +
      "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  )
})

t.test('what it loads is kept for a year, in the form that the browser takes', async (t) => {
  const get = async (name: string, encoding: string) =>
    send(`/assets/${name}`, { headers: { 'accept-encoding': encoding } })
  const plain = await get('main-1.js', 'identity')
  t.match([plain.status, plain.text, plain.headers.get('content-encoding')], [200, script, null])
  t.equal(plain.headers.get('cache-control'), 'public, max-age=31536000, immutable')
  t.equal(plain.headers.get('content-type'), 'text/javascript; charset=utf-8')
  t.equal(plain.headers.get('vary'), 'accept-encoding')
  for (const encoding of ['br', 'gzip']) {
    const packed = await get('main-1.js', encoding)
    t.match([packed.text, packed.headers.get('content-encoding')], [script, encoding])
    t.ok(Number(packed.headers.get('content-length')) < script.length, `${encoding} is smaller`)
  }
  const small = await get('small-2.css', 'br')
  t.match(
    [small.status, small.text, small.headers.get('content-encoding')],
    [200, 'a{}', null],
    'which has no other form',
  )
  t.match(await send('/assets/small-2.css', { method: 'HEAD' }), { status: 200, text: '' })
})

t.test('what no build has is no page', async (t) => {
  for (const path of [
    '/assets/main-0.js',
    '/assets/x.exe',
    '/assets/',
    '/assets',
    '/assets/..%2Findex.html',
    '/assets/a/b',
  ]) {
    t.match(await send(path), { status: 404, json: { code: 'not_found' } }, path)
  }
  t.match(await send('/v1/nothing'), { status: 404, json: { code: 'not_found' } })
  t.equal((await send('/anything', { method: 'POST' })).status, 404)
})

t.test('below a path of its own the document names its files there', async (t) => {
  const below = await serve(t, { ui, baseUrl: 'https://example.com/svc' })
  t.equal(
    (await below.send('/runs/1')).text,
    '<html data-base="/svc/"><script src="/svc/assets/main-1.js"></script></html>',
  )
})

t.test('a directory without a build is none', async (t) => {
  t.equal(await readBuiltUi(`${directory}/nowhere`), undefined)
})

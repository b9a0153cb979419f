import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import t from 'tap'
import { ensureUi, uiDirectory } from '#dev/build-ui.ts'
import { startPlace } from './browser.ts'
import { filesOfFirstPage, gzippedBytes, kilobytesOf } from './first-page.ts'

await ensureUi()
const assets = join(uiDirectory, 'assets')
const names = readdirSync(assets)
const document = readFileSync(join(uiDirectory, 'index.html'), 'utf8')

const scripts = names.filter((name) => name.endsWith('.js'))
const named = [...document.matchAll(/(?:src|href)="\.\/assets\/([^"]+)"/g)].map(([, name = '']) => name)

t.test('the first page takes less than 130 KB, and every later part less than 40', async (t) => {
  const place = await startPlace(t)
  const session = await (await place.sit('ada')).page.context().storageState()
  const nothingYet = await place.browser.newContext({ baseURL: place.base, storageState: session })
  const first = await filesOfFirstPage(await nothingYet.newPage())
  await nothingYet.close()
  t.ok(
    named.every((name) => first.includes(name)),
    'what the document names',
  )
  t.ok(
    first.some((name) => name.startsWith('overview-')),
    'and the page itself',
  )
  const kb = kilobytesOf(first)
  t.ok(kb < 130, `${kb.toFixed(1)} KB`)
  const later = scripts.filter((name) => !first.includes(name))
  t.ok(later.length > 5, 'a part a page')
  for (const name of later) t.ok(gzippedBytes(name) < 40 * 1024, `${name}: ${gzippedBytes(name)}`)
})

t.test('a document whose files do not come says so, without any of them', async (t) => {
  t.match(document, /<div id="root"><p class="starting">[^<]*load the page again[^<]*</)
  const [first = ''] = document.match(/<(script|link)[^>]*assets[^>]*>/) ?? []
  t.match(first, /^<script src="[^"]*reload-/, 'what loads it again is there before what it is about')
  t.notMatch(
    readFileSync(join(assets, /reload-[^"]*/.exec(first)?.[0] ?? ''), 'utf8'),
    /\b(im|ex)port\b/,
    'and is one file',
  )
})

t.test('the document has no script and no style of its own, and names its files relative to itself', async (t) => {
  t.notMatch(document, /<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/)
  for (const [, address = ''] of document.matchAll(/(?:src|href)="([^"]*)"/g)) t.match(address, /^(\.\/assets\/|data:)/)
  const theme = /<script[^>]*theme-[^>]*>/.exec(document.slice(0, document.indexOf('</head>')))?.[0]
  t.match(theme, /^<script src=/, 'the theme is in the head')
  t.notMatch(theme, /module|async|defer/, 'and is waited for')
  t.ok(gzippedBytes(named.find((name) => name.startsWith('theme-')) ?? '') < 1024)
})

t.test('each file has its compressed forms, which are the same file', async (t) => {
  for (const name of names.filter((each) => !/\.(br|gz)$/.test(each))) {
    const file = readFileSync(join(assets, name))
    if (file.length < 512) continue
    t.ok(brotliDecompressSync(readFileSync(join(assets, `${name}.br`))).equals(file), `${name}.br`)
    t.ok(gunzipSync(readFileSync(join(assets, `${name}.gz`))).equals(file), `${name}.gz`)
  }
})

t.test('what it brings asks no other host', async (t) => {
  const strangers = scripts.flatMap((name) => {
    const text = readFileSync(join(assets, name), 'utf8')
    // names of the web's own vocabularies, and addresses that errors of libraries point to
    const addresses = [...text.matchAll(/https?:\/\/([\w.-]+)/g)].map(([, host = '']) => host)
    return addresses.filter((host) => !/^(www\.w3\.org|react\.dev|(www\.)?tanstack\.com|localhost)$/.test(host))
  })
  t.same([...new Set(strangers)], [])
})

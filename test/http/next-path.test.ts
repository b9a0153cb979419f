import t from 'tap'
import { nextPath } from '#http/next-path.ts'

t.test('sign-in leads to a path on this service, or to the first page', async (t) => {
  const cases: [asked: unknown, goes: string][] = [
    ['/', '/'],
    ['/runs/1?tab=gate#plan', '/runs/1?tab=gate#plan'],
    ['/repos/acme%2Finfra', '/repos/acme%2Finfra'],
    ['/größe', '/gr%C3%B6%C3%9Fe'],
    ['/a/../b', '/b'],
    ['/authors', '/authors'],
    ['/a//b', '/a//b'],
    // what is encoded stays encoded: a path on this service, with nothing there
    ['/%2F%2Fevil.example', '/%2F%2Fevil.example'],
    ['/%5Cevil.example', '/%5Cevil.example'],
    ['/a%0d%0aSet-Cookie:%20x=1', '/a%0d%0aSet-Cookie:%20x=1'],
    ['/a?to=https://evil.example/', '/a?to=https://evil.example/'],
    [undefined, '/'],
    ['', '/'],
    [['/a', '/b'], '/'],
    ['runs/1', '/'],
    ['https://evil.example/', '/'],
    ['//evil.example/', '/'],
    ['///evil.example/', '/'],
    ['/\\evil.example/', '/'],
    ['/a\\b', '/'],
    ['/\t/evil.example/', '/'],
    ['/\n/evil.example/', '/'],
    ['/a\r\nSet-Cookie: x=1', '/'],
    [' //evil.example', '/'],
    ['/\\\\evil.example', '/'],
    ['\\\\evil.example', '/'],
    ['/%09/evil.example', '/%09/evil.example'],
    ['//evil.example@svc.example.com/', '/'],
    ['///', '/'],
    ['/..//evil.example/', '/'],
    ['/x/..//evil.example', '/'],
    ['/./\\evil.example', '/'],
    ['/%2e%2e//evil.example', '/'],
    ['\u0000/a', '/'],
    ['/a\u2028b', '/'],
    ['javascript:alert(1)', '/'],
    ['@evil.example/', '/'],
    ['/auth/login', '/'],
    ['/auth', '/'],
    [`/${'x'.repeat(2001)}`, '/'],
    [`/${'ß'.repeat(1000)}`, '/'],
  ]
  for (const [asked, goes] of cases) {
    for (const base of ['https://svc.example.com', 'https://example.com/svc', 'http://127.0.0.1:8080']) {
      t.equal(nextPath(asked, base), goes, `${encodeURI(String(asked)).slice(0, 60)} at ${base}`)
    }
  }
})

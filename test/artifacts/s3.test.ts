import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { StoreOutage, StoreRefusal } from '#artifacts/port.ts'
import { createS3Store } from '#artifacts/s3.ts'
import { s3Variables, startS3Server } from '#test/helpers/s3-server.ts'
import { signatureProblem } from '#test/helpers/signature-v4.ts'
import { until } from '#test/helpers/until.ts'

const secret = 'the/right+secret'
process.env.AWS_ACCESS_KEY_ID = 'AKIATEST'
process.env.AWS_SECRET_ACCESS_KEY = secret

const server = await startS3Server({ accessKeyId: 'AKIATEST', bucket: 'plans', secret })
t.teardown(() => server.close())
const { AWS_ENDPOINT_URL_S3: endpoint, AWS_REGION: region } = s3Variables(server, 'plans')
const options = { bucket: 'plans', prefix: 'a/b', endpoint, region }
const store = await createS3Store(options)
const plan = { body: Buffer.from('öne 🚀\n'.repeat(20_000)), contentType: 'text/plain; charset=utf-8' }

t.test('the server checks signatures as the documentation calculates them', async (t) => {
  // Amazon S3 API reference, the example of a GET with a Range
  const documented = {
    method: 'GET',
    url: '/test.txt',
    headers: {
      host: 'examplebucket.s3.amazonaws.com',
      range: 'bytes=0-9',
      'x-amz-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      'x-amz-date': '20130524T000000Z',
      authorization:
        'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    },
    body: Buffer.alloc(0),
  }
  const identity = {
    accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    region: 'us-east-1',
  }
  const at = new Date('2013-05-24T00:10:00Z')
  t.equal(signatureProblem(documented, identity, at), undefined)
  const { headers } = documented
  const wrong = [
    ['another path', { ...documented, url: '/test.tx' }, identity, 'SignatureDoesNotMatch'],
    [
      'another range',
      { ...documented, headers: { ...headers, range: 'bytes=0-8' } },
      identity,
      'SignatureDoesNotMatch',
    ],
    ['another secret', documented, { ...identity, secretAccessKey: 'x' }, 'SignatureDoesNotMatch'],
    ['another key', documented, { ...identity, accessKeyId: 'x' }, 'InvalidAccessKeyId'],
    ['another region', documented, { ...identity, region: 'eu-west-1' }, 'AuthorizationHeaderMalformed'],
    ['a body', { ...documented, body: Buffer.from('x') }, identity, 'XAmzContentSHA256Mismatch'],
    ['an unsigned header', { ...documented, headers: { ...headers, 'x-amz-acl': 'public' } }, identity, 'AccessDenied'],
    ['no signature', { ...documented, headers: { host: 'x' } }, identity, 'AccessDenied'],
  ] as const
  for (const [what, request, who, code] of wrong) t.equal(signatureProblem(request, who, at), code, what)
  t.equal(signatureProblem(documented, identity, new Date('2013-05-24T00:16:00Z')), 'RequestTimeTooSkewed')
})

t.test('an object comes back byte for byte from the place it was said to be in', async (t) => {
  await store.put('runs/1/plan.txt', plan)
  const kept = server.objects.get('plans/a/b/runs/1/plan.txt')
  t.equal(kept?.type, plan.contentType)
  const location = store.locate('runs/1/plan.txt')
  t.equal(location, 's3://plans/a/b/runs/1/plan.txt')
  const found = await store.get(location)
  t.equal(found?.bytes, plan.body.length)
  t.equal(await text(found!.body), plan.body.toString())
  t.same(server.asked.splice(0), ['PUT plans/a/b/runs/1/plan.txt 200', 'GET plans/a/b/runs/1/plan.txt 200'])
})

t.test('without a prefix names are the keys, and what was kept under a prefix is still found', async (t) => {
  const bare = await createS3Store({ ...options, prefix: '' })
  t.equal(bare.locate('runs/1/plan.txt'), 's3://plans/runs/1/plan.txt')
  t.ok(await bare.get('s3://plans/a/b/runs/1/plan.txt'))
  t.equal(await bare.get('s3://plans/runs/1/plan.txt'), undefined, 'nothing was kept there')
  await t.rejects(bare.get('https://plans/x'), /not the location of an object/)
})

t.test('a refusal is told apart from an outage', async (t) => {
  const location = store.locate('runs/1/plan.txt')
  const missing = store.locate('runs/2/plan.txt')
  const cases = [
    ['the right to list is missing', { mayList: false }, missing, StoreRefusal, /AccessDenied/],
    ['the right to read is missing', { mayRead: false }, location, StoreRefusal, /reading s3:.+AccessDenied/],
    ['the secret is wrong', { secret: 'another' }, location, StoreRefusal, /SignatureDoesNotMatch/],
    ['the bucket is not there', {}, 's3://others/x', StoreRefusal, /NoSuchBucket/],
    ['it asks for rest', { mood: 'busy' }, location, StoreOutage, /SlowDown/],
    ['it hangs up', { mood: 'gone' }, location, StoreOutage, /reading s3:.+(socket|ECONNRESET)/],
  ] as const
  for (const [what, change, from, kind, message] of cases) {
    const before = { ...server.now }
    Object.assign(server.now, change)
    const error = await store.get(from).catch((error) => error)
    t.ok(error instanceof kind, `${what}: ${error}`)
    t.match(error.message, message, what)
    Object.assign(server.now, before)
  }
  server.now.secret = 'another'
  await t.rejects(store.put('x', plan), /writing s3:\/\/plans\/a\/b\/x: SignatureDoesNotMatch/)
  server.now.secret = secret
  t.notOk(server.objects.has('plans/a/b/x'))
  const nowhere = await createS3Store({ ...options, endpoint: 'http://127.0.0.1:1' })
  const refused = await nowhere.put('x', plan).catch((error) => error)
  t.ok(refused instanceof StoreOutage)
  t.match(refused.message, /ECONNREFUSED/)
})

t.test('a caller that no longer waits ends the request', async (t) => {
  server.asked.splice(0)
  server.now.mood = 'silent'
  const ended = new AbortController()
  const put = store.put('y', plan, ended.signal).catch((error) => error)
  const get = store.get(store.locate('runs/1/plan.txt'), ended.signal).catch((error) => error)
  await until(() => server.underWay() === 2)
  ended.abort()
  for (const error of [await put, await get]) t.match(error, { name: 'AbortError' })
  server.now.mood = 'well'
})

t.test('a body that breaks off ends with an error, and one that is no longer read with the signal', async (t) => {
  server.now.mood = 'half'
  const broken = await store.get(store.locate('runs/1/plan.txt'))
  await t.rejects(text(broken!.body), /aborted|ECONNRESET|premature/i)
  server.now.mood = 'stalled'
  const ended = new AbortController()
  const stalled = await store.get(store.locate('runs/1/plan.txt'), ended.signal)
  await once(stalled!.body, 'readable')
  const error = once(stalled!.body, 'error')
  ended.abort()
  t.match(await error, [{ code: 'ECONNRESET' }])
  server.now.mood = 'well'
})

t.test('a store without a region says which variable is missing', async (t) => {
  const { AWS_REGION: before } = process.env
  delete process.env.AWS_REGION
  process.env.AWS_CONFIG_FILE = '/nonexistent'
  process.env.AWS_SHARED_CREDENTIALS_FILE = '/nonexistent'
  await t.rejects(createS3Store({ bucket: 'plans', prefix: '' }), /AWS_REGION: must be set/)
  if (before !== undefined) process.env.AWS_REGION = before
})

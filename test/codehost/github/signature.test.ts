import { createHmac } from 'node:crypto'
import t from 'tap'
import { verifySignature } from '#codehost/github/signature.ts'

// The example of GitHub's 'Validating webhook deliveries'.
const secret = "It's a Secret to Everybody"
const body = Buffer.from('Hello, World!')
const valid = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17'

const cases: [name: string, secret: string, body: Buffer, header: string | undefined, verdict: boolean][] = [
  ["GitHub's own example", secret, body, valid, true],
  ['upper-case digits', secret, body, `sha256=${valid.slice(7).toUpperCase()}`, true],
  ['another secret', 'guess', body, valid, false],
  ['a body with one more byte', secret, Buffer.from('Hello, World!\n'), valid, false],
  ['no header', secret, body, undefined, false],
  ['a SHA-1 signature', secret, body, `sha1=${createHmac('sha1', secret).update(body).digest('hex')}`, false],
  ['a cut signature', secret, body, valid.slice(0, -2), false],
  ['a signature with something after it', secret, body, `${valid}00`, false],
  ['no secret at all', '', body, `sha256=${createHmac('sha256', '').update(body).digest('hex')}`, false],
]

for (const [name, given, bytes, header, verdict] of cases) {
  t.equal(verifySignature(given, bytes, header), verdict, `${name} is ${verdict ? 'accepted' : 'refused'}`)
}

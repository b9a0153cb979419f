import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import t from 'tap'
import { openOutput } from '#cli/installation/output-file.ts'

t.test('a standard output that is closed fails what is written to it, and does not end the process', async (t) => {
  const closed = new Writable({ write: (_chunk, _encoding, then) => then(new Error('write EPIPE')) })
  const output = openOutput('-', closed)
  await t.rejects(pipeline(Readable.from(['x']), output.stream), /write EPIPE/)
})

import t from 'tap'
import { safeName } from '#runner/job/work-dir.ts'

t.test('a name for files and artifacts holds no character that they may not have', (t) => {
  const keys = ['aws/prod', 'aws-prod', 'app:blue', '.', '../x', 'a"b<c>d|e*f?g\\h\ni', 'ü/ß', 'x'.repeat(500)]
  const names = keys.map(safeName)
  t.equal(new Set(names).size, keys.length, 'each key has its own')
  for (const name of names) t.match(name, /^[A-Za-z0-9_][A-Za-z0-9._-]{0,95}$/)
  t.match(safeName('aws/prod'), /^aws-prod-[0-9a-f]{8}$/)
  t.end()
})

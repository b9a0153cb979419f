import t from 'tap'
import {
  isCheckName,
  isInstanceName,
  parseQualifiedKey,
  parseStackKey,
  pathFrom,
  repositoryPath,
} from '#domain/keys.ts'

const split = <T>(cases: Record<string, T>, of: (text: string) => T) =>
  Object.fromEntries(Object.keys(cases).map((text) => [text, of(text)]))

t.test('names', async (t) => {
  const instances = {
    prod: true,
    'eu-1.a_b': true,
    '1': true,
    default: false,
    DeFault: false,
    defaults: true,
    '-a': false,
    'a b': false,
    'a/b': false,
    '': false,
    ['x'.repeat(64)]: true,
    ['x'.repeat(65)]: false,
  }
  t.same(split(instances, isInstanceName), instances)
  const checks = {
    cost: true,
    'a.b-c_1': true,
    plan: false,
    apply: false,
    resolve: false,
    'a b': false,
    'a:b': false,
    '': false,
  }
  t.same(split({ ...checks, ['x'.repeat(65)]: false }, isCheckName), { ...checks, ['x'.repeat(65)]: false })
})

t.test('keys', async (t) => {
  t.same(parseStackKey('aws/app:eu'), { path: 'aws/app', instance: 'eu' })
  t.same(parseStackKey('aws/app'), { path: 'aws/app' })
  t.same(parseStackKey('a:b/c'), { path: 'a:b/c' }, 'a colon in a directory name does not make an instance')
  t.same(parseStackKey('a:default'), { path: 'a:default' })
  t.same(parseQualifiedKey('acme/infra//aws/app:eu'), { repo: 'acme/infra', key: 'aws/app:eu' })
  t.same(parseQualifiedKey('mona_octo/infra//net'), { repo: 'mona_octo/infra', key: 'net' }, 'of a managed user')
  t.equal(parseQualifiedKey('aws/app'), undefined)
  t.equal(parseQualifiedKey('acme//x'), undefined)
})

t.test('paths', async (t) => {
  const paths = {
    'a/b': 'a/b',
    './a': 'a',
    'a//b/': 'a/b',
    '.': '.',
    './': '.',
    '': undefined,
    '/a': undefined,
    'a/../b': undefined,
    '..a/b..': '..a/b..',
  }
  t.same(split<string | undefined>(paths, repositoryPath), paths)
  t.equal(pathFrom('aws/app', '../vars/x.tfvars'), 'aws/vars/x.tfvars')
  t.equal(pathFrom('.', 'x'), 'x')
  t.equal(pathFrom('aws', '../../x'), undefined, 'out of the repository')
})

import t from 'tap'
import { compileAddressGlobs } from '#domain/gate/rules/address-globs.ts'

type Row = readonly [glob: string, means: string[], doesNot: string[]]

const rows: Row[] = [
  ['aws_db_instance.main', ['aws_db_instance.main', 'module.db.aws_db_instance.main'], ['aws_db_instance.main2']],
  // who names a resource means all of its count or for_each
  ['aws_db_instance.main', ['aws_db_instance.main[0]', 'aws_db_instance.main["eu"]'], ['aws_db_instance.other[0]']],
  [
    'aws_db_instance.main',
    ['module.a["x"].module.b[1].aws_db_instance.main["k"]'],
    ['module.a["aws_db_instance.main"].x.y'],
  ],
  [
    'aws_db_instance.main[0]',
    ['aws_db_instance.main[0]', 'module.a[1].aws_db_instance.main[0]'],
    ['aws_db_instance.main[1]'],
  ],
  ['aws_db_instance.main["a"]', ['aws_db_instance.main["a"]'], ['aws_db_instance.main["b"]', 'aws_db_instance.main']],
  ['aws_db_instance.*', ['aws_db_instance.a[0]', 'module.x["aws"].aws_db_instance.b'], ['aws_db_instances.a']],
  // and who names a module means all of its instances
  [
    'module.core.*',
    ['module.core.x.y', 'module.core["eu"].x.y', 'module.core[0].module.db.x.y[1]'],
    ['module.cores.x.y'],
  ],
  ['module.core["eu"].*', ['module.core["eu"].x.y', 'module.core["eu"].x.y[0]'], ['module.core["us"].x.y']],
  ['module.core.x.y[0]', ['module.core["eu"].x.y[0]'], ['module.core["eu"].x.y[1]']],
  ['module.core["eu"].x.y', ['module.core["eu"].x.y[0]'], ['module.core["us"].x.y[0]']],
  ['*.main[0]', ['aws_db_instance.main[0]', 'module.a.b.main[0]'], ['aws_db_instance.main[1]', 'aws_db_instance.main']],
  ['*["prod"]*', ['module.x["prod"].a.b', 'a.b["prod"]'], ['a.b["dev"]']],
  // an index may have in it what an address has between its parts
  ['module.x["a.b"].c.d', ['module.x["a.b"].c.d'], ['module.x["a"].b.c.d']],
  ['c.d', ['module.x["a.b].c"].c.d', 'module.x["q\\"].e.f"].c.d'], ['module.x["c.d"].e.f', 'module.x["].c.d"].e.f']],
  // a secret in an index is masked: it may be the one that is meant
  ['aws_db_instance.main["a"]', ['aws_db_instance.main["***"]'], ['aws_db_instance.other["***"]']],
  ['module.core["eu"].*', ['module.core["x-***"].x.y'], ['module.cores["***"].x.y']],
  ['data.aws_ami.*', ['data.aws_ami.x[0]', 'module.m.data.aws_ami.x'], ['aws_ami.x']],
  ['*', ['a.b', 'module.x[0].a.b["c"]'], []],
]

for (const [glob, means, doesNot] of rows)
  t.test(`${glob} means ${means[0]}`, async (t) => {
    const matches = compileAddressGlobs([glob])
    for (const address of means) t.equal(matches(address), true, address)
    for (const address of doesNot) t.equal(matches(address), false, address)
  })

t.test('any one of several globs is enough, and what is no address matches nothing', async (t) => {
  const matches = compileAddressGlobs(['a.b', 'module.m.*'])
  t.same(['a.b[2]', 'module.m[0].x.y', 'x.y', '', '[', 'module.', 'module.x["', 'module'].map(matches), [
    ...[true, true],
    ...Array.from({ length: 6 }, () => false),
  ])
})

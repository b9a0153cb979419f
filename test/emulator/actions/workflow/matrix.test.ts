// biome-ignore-all lint/suspicious/noTemplateCurlyInString: workflow files write expressions that way
import t from 'tap'
import { displayName, expandMatrix } from '#emulator/actions/workflow/matrix.ts'

t.test('a matrix is the product of its lists, and includes join the combinations they fit', (t) => {
  const expand = (matrix: Parameters<typeof expandMatrix>[0]) =>
    expandMatrix(matrix, { contexts: { inputs: { list: '["x","y"]', whole: '{"n":[1],"include":[{"m":2}]}' } } })
  const table = [
    [
      { a: [1, 2], b: ['x', 'y'] },
      [
        { a: 1, b: 'x' },
        { a: 1, b: 'y' },
        { a: 2, b: 'x' },
        { a: 2, b: 'y' },
      ],
    ],
    [{ a: '${{ fromJSON(inputs.list) }}' }, [{ a: 'x' }, { a: 'y' }]],
    ['${{ fromJSON(inputs.whole) }}', [{ n: 1, m: 2 }]],
    [{ include: [{ a: 1 }, { a: 1, b: 2 }] }, [{ a: 1 }, { a: 1, b: 2 }]],
    // The example from GitHub's page on include, rule by rule.
    [
      {
        fruit: ['apple', 'pear'],
        animal: ['cat', 'dog'],
        include: [
          { color: 'green' },
          { color: 'pink', animal: 'cat' },
          { fruit: 'apple', shape: 'circle' },
          { fruit: 'banana' },
          { fruit: 'banana', animal: 'cat' },
        ],
      },
      [
        { fruit: 'apple', animal: 'cat', color: 'pink', shape: 'circle' },
        { fruit: 'apple', animal: 'dog', color: 'green', shape: 'circle' },
        { fruit: 'pear', animal: 'cat', color: 'pink' },
        { fruit: 'pear', animal: 'dog', color: 'green' },
        { fruit: 'banana' },
        { fruit: 'banana', animal: 'cat' },
      ],
    ],
  ] as const
  for (const [matrix, expected] of table)
    t.same(
      expand(matrix as unknown as Parameters<typeof expandMatrix>[0]).map(({ values }) => values),
      expected,
    )
  t.equal(expand({ a: Array(256).fill(1) }).length, 256)
  t.throws(() => expand({ a: Array(257).fill(1) }), { message: /257 jobs, above the limit of 256/ })
  t.throws(() => expand({ a: 'x' }), { message: /'a' must be a list/ })
  t.throws(() => expand({ exclude: [] }), { message: /exclude is not supported/ })
  t.throws(() => expand({ include: [1] }), { message: /include\[0\] must be a map/ })
  t.throws(() => expand('x'), { message: /must be a map of lists, not 'x'/ })
  t.end()
})

t.test('a job of a matrix is named after its values', (t) => {
  const label = (matrix: Parameters<typeof expandMatrix>[0]) => expandMatrix(matrix, { contexts: {} })[0]?.label ?? []
  t.equal(
    displayName('plan', undefined, label({ include: [{ stack: 'a/b', environment: 'prod' }] })),
    'plan (a/b, prod)',
  )
  t.equal(displayName('plan', undefined, label({ n: [{ os: 'x', v: [1, true] }], e: [''] })), 'plan (x, 1, true)')
  t.equal(displayName('Plan it', 'Plan it', ['a']), 'Plan it (a)')
  t.equal(displayName('plan a', 'plan ${{ matrix.a }}', ['a']), 'plan a')
  t.equal(displayName('plan', undefined, []), 'plan')
  t.equal(displayName('plan', undefined, ['x'.repeat(200)]), `plan (${'x'.repeat(91)}...`)
  t.end()
})

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: HCL writes its templates like this
import t from 'tap'
import { blocksOf } from '#runner/hcl/body.ts'
import { parseHcl } from '#runner/hcl/parse-hcl.ts'
import { generateHcl } from './hcl-generator.ts'
import { differences, oracle } from './hcl-oracle.ts'

const odd: Record<string, string> = {
  'nothing at all': '',
  'a byte order mark': '\ufeffa = 1',
  'comments alone': '# a\n// b\n/* c\n d */',
  'newlines of Windows': 'a = 1\r\nb {\r\n  c = "x"\r\n}\r\n',
  'a heredoc with newlines of Windows': 'a = <<E\r\nfoo\r\nE\r\nb = 1\r\n',
  'brackets and quotes in strings': 'a = "}"\nb = "\\"}{"\nc = ["]", "#", "//"]\n',
  'a string in a template in a string': 'a = "x${"}"}y"\nb = "${"${"${1}"}"}"\n',
  'escapes that look like templates': 'a = "$${x}"\nb = "%%{x}"\nc = "$$${x}"\nd = "$"\ne = "100%"\nf = "$$"\n',
  'all escapes': 'a = "\\n\\r\\t\\"\\\\\\u00e9\\U0001F600"\n',
  'a heredoc as it is': 'a = <<EOT\n  x\\n "y" $${z} # no comment\n\n   EOTx\n\tEOT\nb = 1\n',
  'an indented heredoc': 'a = <<-EOT\n\n    x\n   \n  y\n\t z\n  EOT\n',
  'a byte order mark is no space of an indented heredoc': 'a = <<-E\n   x\n\uFEFF y\n\uFEFFE\n  E\n',
  'the next line (U+0085) is a space of an indented heredoc': 'a = <<-E\n\u0085\u0085x\n  y\n\u0085E\n',
  'numbers that a double does not hold': 'a = "x${12345678923456789}"\nb = { 99999999999999999999 = 1 }\n',
  'a negative number in a template': 'a = "x${-7}"\nb = "${-1.5}"\n',
  'an empty heredoc': 'a = <<E\nE\n',
  'heredocs among other values': 'a = [<<E\nx\nE\n, 1]\nb = {\n x = <<E\ny\nE\n z = 2\n}\nc = f(<<E\nx\nE\n)\n',
  'a heredoc in a template in a heredoc': 'a = <<E\n${ <<F\nq\nF\n}\nE\n',
  'a template over several lines': 'a = "${x\n}"\nb = <<E\n${x(\n"E"\n)}\nE\n',
  directives: 'a = "%{ if x == "}" }y%{ else }z%{ endif }"\nb = <<E\n%{ for x in y ~}\n${x}\n%{ endfor ~}\nE\n',
  'letters and their accents apart': 'a = "e\u0301"\nb = { e\u0301 = "${"e"}\u0301" }\nc = <<E\ne\u0301\nE\n',
  'directives with a comma':
    'a = "%{ for i, x in y }${i}%{ endfor }"\nb = <<E\n%{~ for i, x in y ~}\n${x}\n%{ endfor }\nE\n',
  'labels bare, quoted and escaped': 'x a "b" "c\\"d" "$${e}" {}\nz a "b" {\n}\ny{}\n',
  'blocks of one line': 'x { a = 1 }\ny { a = [\n1 ] }\nz {}# c\n',
  'names in other scripts': 'größe = 1\nКлюч-1 = 2\n_x = 3\n',
  'objects with all sorts of keys': 'a = {b = 1, "c" : 2, 3 = 4, true = 5,\n"d${"e"}" = 6\n# c\nf = 7 }\n',
  numbers: 'a = [0, -1, 1.50, 1e3, 1E+3, 1.5e-3, 007, 100000000000000000000000]\n',
  'comments between': 'a /* b */ = /* c\n */ 1 // d\nb = "x" /* y */\nc = [1, # 2 ]\n3]\n',
  'operators that hold = < and /':
    'a = x == y\nb = x != y\nc = x <= y\nd = x >= y\ne = x / y\nf = x < y\ng = x ? y : z\n',
  loops: 'a = [for x in y : x if x != "]"]\nb = { for k, v in y : k => v }\nc = { a = 1, for = 1 }\n',
  'the same block twice': 'x "a" { b = 1 }\nx "a" { b = 2 }\n',
}

t.test('odd input has the blocks, labels and literals that HashiCorp’s parser sees', async (t) => {
  for (const [name, text] of Object.entries(odd)) t.same(differences(parseHcl(text), await oracle(text)), [], name)
})

t.test('generated input has them, too', async (t) => {
  let texts = 0
  for (let seed = 1; seed <= 250; seed++) {
    const text = generateHcl(seed)
    const theirs = await oracle(text).catch((error) => `seed ${seed}: the generator is wrong: ${error}\n${text}`)
    if (typeof theirs === 'string') return t.fail(theirs)
    const found = differences(parseHcl(text), theirs)
    if (found.length > 0) return t.fail(`seed ${seed}: ${found.join('\n')}\n${text}`)
    texts += 1
  }
  t.equal(texts, 250)
})

const wrong: [text: string, at: string, says: RegExp][] = [
  ['a = "x', '1:5', /unclosed string/],
  ['a = "x\ny"', '1:5', /unclosed string/],
  ['a = 1\nb = [1,\n2', '2:5', /unclosed '\['/],
  ['a = {\nb = (\n}', '3:1', /'}' where '\)' is expected/],
  ['a = <<E\nfoo', '1:5', /unclosed heredoc: a line 'E'/],
  ['a = <<E\nfoo\nE', '1:5', /unclosed heredoc/],
  ['a = "${x"', '1:9', /unclosed string/],
  ['a = "${x', '1:6', /unclosed template/],
  ['/* x', '1:1', /unclosed comment/],
  ['x {\n  y {\n  }\n', '1:3', /unclosed block/],
  ['x {\n}\n}', '3:1', /expected an argument or a block, not '}'/],
  ['a = 1\na = 2', '2:1', /'a' is set twice/],
  ['x {\n  a = 1\n  a = 2\n}', '3:3', /'a' is set twice/],
  ['a = 1 b = 2', '1:9', /a newline is missing/],
  ['a = ', '1:5', /the value of 'a' is missing/],
  ['a = ]', '1:5', /']' closes nothing/],
  ['a = "\\q"', '1:6', /'\\q' is not an escape/],
  ['a = "\\ud83d"', '1:6', /is not an escape/],
  ["a = 'x'", '1:5', /''' is not allowed here/],
  ['a = 1;', '1:6', /';' is not allowed here/],
  ['x {} y {}', '1:6', /a newline is missing after the block/],
  ['x { a = 1, b = 2 }', '1:10', /separated by newlines/],
  ['x { y {} }', '1:5', /one argument and no block/],
  ['x { a = 1\n }', '1:10', /'}' is missing at the end of the line/],
  ['x\n{}', '1:1', /'x' needs '=' or '{'/],
  ['x "y" z', '1:8', /'{' is missing after the labels of 'x'/],
  ['x "${y}" {}', '1:3', /a label is a plain string/],
  ['"a" = 1', '1:1', /expected an argument or a block/],
]

t.test('text that is not HCL is refused with its line and column, as HashiCorp’s parser refuses it', async (t) => {
  for (const [text, at, says] of wrong) {
    await t.rejects(oracle(text), `theirs refuses ${JSON.stringify(text)}`)
    try {
      parseHcl(text)
      t.fail(`took ${JSON.stringify(text)}`)
    } catch (error) {
      const { line, column, message } = error as { line: number; column: number; message: string }
      t.equal(`${line}:${column}`, at, JSON.stringify(text))
      t.match(message, says)
    }
  }
})

t.test('a file that would exhaust the stack is refused', async (t) => {
  const deep = 100_000
  t.throws(() => parseHcl(`a = ${'['.repeat(deep)}`), /more than 200 brackets/)
  t.throws(() => parseHcl('x {\n'.repeat(deep)), /nested more than 200 levels/)
  t.throws(() => parseHcl(`a = ${'"${'.repeat(deep)}`), /nested more than 200 levels/)
})

t.test('unwanted blocks are skipped, and their brackets still checked', async (t) => {
  const text =
    'resource "a" "b" {\n  c = "}"\n  d = { e = 1, f = <<E\n}\nE\n  }\n  g {\n  }\n}\nmodule "m" {\n  source = "./m"\n}\n'
  const body = parseHcl(text, { keep: new Set(['module']) })
  t.same(
    body.blocks.map(({ type, labels, at }) => [type, labels, at]),
    parseHcl(text).blocks.map(({ type, labels, at }) => [type, labels, at]),
  )
  t.equal(body.blocks[0]?.body.attributes.size, 0)
  t.equal(blocksOf(body, 'module')[0]?.body.attributes.get('source')?.expression, '"./m"')
  t.throws(() => parseHcl('resource "a" "b" {\n  c = [\n}\n', { keep: new Set() }), /'}' where ']' is expected/)
  t.throws(
    () => parseHcl('resource "a" "b" {\n', { keep: new Set() }),
    /^HclError: 1:18: unclosed block|1:18: unclosed block/,
  )
})

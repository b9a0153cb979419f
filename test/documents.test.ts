import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { clientDocs } from '#dev/docs/client-docs.ts'
import { configurationDocs } from '#dev/docs/configuration-docs.ts'
import { discoverSchemaText } from '#dev/docs/discover-schema.ts'
import { svcSchemaText, svcYmlDocs } from '#dev/docs/svc-yml-docs.ts'
import { variables } from '#runner/variables.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const unique = (names: Iterable<string | undefined>) => [...new Set(names)].sort()

t.test('.env.example names the variables that the service reads', async (t) => {
  const named = [...read('.env.example').matchAll(/^#?([A-Z][A-Z_]+)=/gm)].map(([, name]) => name)
  const used = [...read('src/config.ts').matchAll(/'((?:SVC|CODEHOST|DATABASE)_[A-Z_]+)'/g)].map(([, name]) => name)
  t.same(unique(named), unique(used))
  t.equal(named.length, unique(named).length, 'each once')
})

t.test('docs/configuration.md is what .env.example says', async (t) => {
  t.equal(read('docs/configuration.md'), configurationDocs(), 'node src/dev/docs/configuration-docs.ts')
})

t.test('docs/svc-yml.md and docs/svc.schema.json are what the schema of svc.yml says', async (t) => {
  t.equal(read('docs/svc-yml.md'), svcYmlDocs(), 'node src/dev/docs/svc-yml-docs.ts')
  t.equal(read('docs/svc.schema.json'), svcSchemaText(), 'node src/dev/docs/svc-yml-docs.ts')
  t.equal(read('docs/discover.schema.json'), discoverSchemaText(), 'node src/dev/docs/svc-yml-docs.ts')
})

t.test('docs/client.md is what the commands of the client say', async (t) => {
  t.equal(read('docs/client.md'), await clientDocs(), 'node src/dev/docs/client-docs.ts')
  const used = [...read('src/runner/environment.ts').matchAll(/text\('(SVC_[A-Z_]+)'\)/g)].map(([, name]) => name)
  const told = variables.map(([name]) => name).filter((name) => name.startsWith('SVC_'))
  t.same(unique(told), unique(used), 'and it lists the variables that the client reads')
})

const npmOwn = new Set(['install', 'publish'])

t.test('the commands in the documents are scripts of the package', async (t) => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  for (const document of ['README.md', 'CONTRIBUTING.md']) {
    const used = [...read(document).matchAll(/npm (?:run )?(\w+)/g)].map(([, name]) => name)
    t.same(unique(used.filter((name) => !npmOwn.has(name!) && !(name! in scripts))), [], document)
  }
})

/** The address of a heading, as GitHub makes it. */
const headings = (text: string): string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  )

t.test('the pages, files and headings that the documents name exist', async (t) => {
  const pages = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'))
  for (const document of ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...pages.map((name) => `docs/${name}`)]) {
    const links = [...read(document).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)]
    const broken = links.filter(([, path, heading]) => {
      const target = path ? join(dirname(document), path) : document
      return !existsSync(join(root, target)) || (heading && !headings(read(target)).includes(heading))
    })
    t.same(
      broken.map(([link]) => link),
      [],
      document,
    )
  }
})

t.test("the check for a change runs the README's command for the tests", async (t) => {
  const command = /^npm .*\bnpm test$/m.exec(read('README.md'))?.[0]
  t.ok(command)
  t.ok(read('.ci/run').includes(`\n${command}\n`))
})

t.test('every library has its line in CONTRIBUTING.md', async (t) => {
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(read('package.json'))
  const table = read('CONTRIBUTING.md').split('## Why each library')[1]!
  const named = [...table.matchAll(/^\| (.+?) \|/gm)].flatMap(([, names]) => names!.split(', '))
  const isNamed = (library: string) =>
    named.some((name) => (name.endsWith('*') ? library.startsWith(name.slice(0, -1)) : library === name))
  const libraries = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies })
  t.same(
    libraries.filter((library) => !library.startsWith('@types/') && !isNamed(library)),
    [],
  )
})

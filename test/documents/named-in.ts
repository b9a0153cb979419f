import {
  isBench,
  isClientCall,
  isFile,
  isInTree,
  isMetric,
  isPath,
  isRoute,
  isScript,
  isServerCall,
  isWord,
} from './known-names.ts'

/** Foreign names, which need not exist in our tree; and examples of texts that are not commands. */
const foreign = [/^AWS_/, /(^|\/)CODEOWNERS$/, /^svc (applies|apply --force)$/]

type Rule = { shape: RegExp; holds: (found: RegExpExecArray) => boolean }

const argsOf = (text = ''): string[] => text.split(/\s+/).filter((word) => word !== '')

const everyWord = ([text]: RegExpExecArray): boolean => text.replace(/\(\)$/, '').split('.').every(isWord)

/** The shapes of code spans, each with a test whether the named thing exists. The first shape that fits decides. */
const rules: readonly Rule[] = [
  { shape: /^(?:npm run )?(bench|proof) -- (\w+)/, holds: ([, kind = '', name = '']) => isBench(kind, name) },
  { shape: /^npm (?:run )?([\w-]+)/, holds: ([, name = '']) => isScript(name) },
  { shape: /^(?:npx )?node (src\/\S+)$/, holds: ([, path = '']) => isPath(path) },
  { shape: /^(?:npx )?svc-server\b(?!\.)(.*)$/, holds: ([, rest]) => isServerCall(argsOf(rest)) },
  { shape: /^(?:npx |exec )?svc ([\w-]+.*)$/, holds: ([, rest]) => isClientCall(argsOf(rest)) || rest === 'queue' },
  { shape: /^(GET|POST|PUT|PATCH|DELETE) (\/.*)$/, holds: ([, method, path = '']) => isRoute(method, path) },
  {
    shape: /^(?:\{\w+\})?(\/(?:v1|auth|setup|webhooks|healthz|readyz|metrics|svc\.schema\.json)\b.*)$/,
    holds: ([, path = '']) => isRoute(undefined, path) || /^\/(v1|auth)\/?$/.test(path),
  },
  { shape: /^([A-Z][A-Z0-9]*(?:_[A-Z0-9]*)+\*?)(?:=.*)?$/, holds: ([, name = '']) => isWord(name) },
  { shape: /^(svc_[a-z_]+)(?:\{.*\})?$/, holds: ([, name = '']) => isMetric(name) || isWord(name) },
  { shape: /^(?:\.?[\w*@-][\w.*@-]*\/)+[\w.*@-]*$/, holds: ([path]) => !isInTree(path) || isPath(path) },
  { shape: /^[\w-]+(?:\.[\w-]+)*\.(?:ts|mjs|md|yml|yaml|json|sql)$/, holds: ([name]) => isFile(name) },
  { shape: /^[a-z]+[a-z0-9]*(?:[A-Z]\w*|(?:_[a-z0-9]+)+)(?:\(\))?$/, holds: everyWord },
  { shape: /^[a-z_]+(?:\.[a-z_]+)+$/, holds: everyWord },
]

const isThere = (span: string): boolean => {
  if (foreign.some((pattern) => pattern.test(span))) return true
  for (const { shape, holds } of rules) {
    const found = shape.exec(span)
    if (found) return holds(found)
  }
  return true
}

const fences = /^ *(`{3,}|~{3,})(\w*)\n([\s\S]*?)^ *\1 *$/gm

/** The code blocks of a page, with the language that each declares. */
export const blocksOf = (page: string): { language: string; text: string }[] =>
  [...page.matchAll(fences)].map(([, , language = '', text = '']) => ({ language, text }))

const spansOf = (page: string): string[] =>
  [...page.replaceAll(fences, '').matchAll(/(?<!`)(`+)(?!`)([\s\S]*?[^`])\1(?!`)/g)].map(([, , span = '']) =>
    span.replaceAll(/\s+/g, ' ').trim(),
  )

/** The code spans of a page that name something missing. */
export const missingIn = (page: string): string[] => [...new Set(spansOf(page))].filter((span) => !isThere(span))

/** The lines of a shell block that call something of ours that is missing. */
export const missingInShell = (text: string): string[] =>
  text
    .replaceAll(/\\\n/g, ' ')
    .split(/\n|&&|\|/)
    .map((line) => line.replace(/ #.*$/, '').trim())
    .filter((line) => /^(npm|npx|svc|svc-server)\b/.test(line) && !isThere(line))

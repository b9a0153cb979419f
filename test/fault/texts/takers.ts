import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'vite'

const root = join(import.meta.dirname, '../../..')

type Syntax = { type: string; [field: string]: unknown }

const isSyntax = (value: unknown): value is Syntax => typeof value === 'object' && value !== null && 'type' in value

const list = (value: unknown): Syntax[] => (Array.isArray(value) ? value.filter(isSyntax) : [])

const field = (node: Syntax | undefined, name: string): Syntax | undefined => {
  const value = node?.[name]
  return isSyntax(value) ? value : undefined
}

/** `string`, or a list of them, or either of them and something else. */
const isText = (type: Syntax | undefined): boolean => {
  if (type === undefined) return false
  if (type.type === 'TSStringKeyword') return true
  if (type.type === 'TSUnionType') return list(type.types).some(isText)
  return isText(field(type, type.type === 'TSArrayType' ? 'elementType' : 'typeAnnotation'))
}

const takesText = (made: Syntax): boolean =>
  (made.type === 'ArrowFunctionExpression' || made.type === 'FunctionDeclaration') &&
  list(made.params).some((param) => {
    const given = param.type === 'AssignmentPattern' ? field(param, 'left') : param
    return isText(field(field(given, 'typeAnnotation'), 'typeAnnotation'))
  })

const nameOf = (declared: Syntax): string => String(field(declared, 'id')?.name)

const exportsOf = (text: string): string[] =>
  list(parseAst(text, { lang: 'ts' }).body).flatMap((statement) => {
    if (statement.type !== 'ExportNamedDeclaration') return []
    const declared = field(statement, 'declaration')
    // a generator is declared, everything else is a constant
    if (declared?.type === 'FunctionDeclaration') return takesText(declared) ? [nameOf(declared)] : []
    return list(declared?.declarations).flatMap((each) => {
      const made = field(each, 'init')
      return made !== undefined && takesText(made) ? [nameOf(each)] : []
    })
  })

/** The exported functions below these folders of src that take a string, by their types: `domain/keys.ts isInside`. */
export const takersOfText = (folders: readonly string[]): string[] =>
  folders
    .flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: join(root, 'src') }))
    .sort()
    .flatMap((file) => exportsOf(readFileSync(join(root, 'src', file), 'utf8')).map((name) => `${file} ${name}`))

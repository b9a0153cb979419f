import { z } from 'zod'
import { pageOf } from '#api/page.ts'
import { limits } from '#domain/limits.ts'
import { type Command, type Context, defineCommand, type Flags, usageProblem } from '../command.ts'
import { exit } from '../exit.ts'
import { type Column, fittedTable } from '../print/fitted-table.ts'
import { type Api, apiFlags, apiFor, type Query } from './api.ts'

/** A list of the API as a command shows it. */
export type List<Item> = {
  name: string
  text: string
  /** What is listed, for `no runs`. */
  plural: string
  path: string
  item: z.ZodType<Item>
  /** The list's own filters, under the API's names; without a value a filter is `true`. */
  filters: Flags
  columns(look: { isTerminal: boolean; now: number }): readonly Column<Item>[]
}

const pageFlags = {
  limit: { says: `items of a page: ${limits.pageSize} unless given, ${limits.pageSizeMax} at most`, value: 'NUMBER' },
  after: { says: 'go on after a page: its next_cursor, which the page before ends with', value: 'CURSOR' },
  all: { says: 'all pages' },
} as const satisfies Flags

type Asked = { limit?: string; after?: string; all?: boolean }

type Found<Item> = { items: Item[]; raw: Record<string, unknown>; next: string | undefined; total: number | undefined }

const RawPage = z.looseObject({ items: z.array(z.unknown()) })

/** A filter that an older service does not know is ignored by it, and the list has what was not asked for. */
const tellIgnored = (query: Query, went: Readonly<Record<string, string>> | undefined, { output }: Context): void => {
  for (const [name, value] of Object.entries(query)) {
    if (name === 'limit' || name === 'cursor' || value === undefined || went?.[name] !== undefined) continue
    output.warn(`the service does not know the filter --${name}, and answered as if it were not there`)
  }
}

const readPages = async <Item>(
  api: Api,
  { path, item }: Pick<List<Item>, 'path' | 'item'>,
  { query, isAll }: { query: Query; isAll: boolean },
  context: Context,
): Promise<Found<Item>> => {
  const schema = pageOf(item)
  const items: Item[] = []
  const rows: unknown[] = []
  for (let cursor = query.cursor; ; ) {
    const { content, raw } = await api.get(path, schema, { ...query, cursor })
    const { items: these, next_cursor: next, total, filters } = content
    const page = RawPage.parse(raw)
    if (rows.length === 0) tellIgnored(query, filters, context)
    items.push(...(these as Item[]))
    rows.push(...page.items)
    if (!isAll || next === undefined) return { items, raw: { ...page, items: rows }, next, total }
    context.output.progress(`${items.length}${total === undefined ? '' : ` of ${total}`}`)
    cursor = next
  }
}

const show = <Item>({ columns, plural }: List<Item>, found: Found<Item>, { output }: Context): void => {
  const { items, next, total } = found
  const size = output.size()
  const table = columns({ isTerminal: size !== undefined, now: Date.now() })
  // Only a page without a next one is the last, however few it has (docs/interface.md, 'Lists').
  if (items.length === 0) output.print(`no ${plural}${next === undefined ? '' : ' on this page'}\n`)
  else output.print(fittedTable(table, items, { width: size?.columns, paint: output.paint }))
  if (next === undefined) return
  const of = total === undefined ? '' : ` of ${total}`
  output.note(`${items.length}${of} ${plural}: --after=${next} for the next, --all for all`)
}

/** A command that shows a list of the API: page by page, or the whole of it. */
export const listCommand = <Item>(list: List<Item>): Command =>
  defineCommand({
    name: list.name,
    usage: '[flags]',
    text: list.text,
    flags: { ...apiFlags, ...list.filters, ...pageFlags } as Flags,
    operands: 0,
    run: async ({ values }, context) => {
      const { limit, after, all } = values as Asked
      if (all === true && after !== undefined) throw usageProblem(list.name, '--all and --after exclude each other')
      const given = Object.keys(list.filters).map((name) => {
        const value = values[name]
        return [name, value === true ? 'true' : (value as string | undefined)] as const
      })
      const size = limit ?? (all === true ? String(limits.pageSizeMax) : undefined)
      const query = { ...Object.fromEntries(given), limit: size, cursor: after }
      const api = apiFor(values as { url?: string }, context)
      const found = await readPages(api, list, { query, isAll: all === true }, context)
      context.output.answer(found.raw)
      if (!context.output.isJson) show(list, found, context)
      return exit.ok
    },
  })

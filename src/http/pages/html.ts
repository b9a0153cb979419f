import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'

/** Markup that goes into a page unescaped. */
export type Html = { html: string }

/** A template whose values are escaped unless they are markup; lists are joined, undefined is nothing. */
export const html = (
  parts: TemplateStringsArray,
  ...values: (Html | Html[] | string | number | undefined)[]
): Html => ({
  html: parts.map((part, at) => part + shown(values[at])).join(''),
})

const shown = (value: Html | Html[] | string | number | undefined): string => {
  if (value === undefined) return ''
  if (Array.isArray(value)) return value.map((one) => one.html).join('\n')
  return typeof value === 'object' ? value.html : escaped(String(value))
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? character)

const style = `:root{color-scheme:light dark;--line:#8886;--quiet:#59636e}@media(prefers-color-scheme:dark){:root{--quiet:#9198a1}}
*{box-sizing:border-box}body{font:16px/1.5 system-ui,sans-serif;max-width:42rem;margin:3rem auto;padding:0 1rem;overflow-wrap:break-word}
h1,h2{line-height:1.25}h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}label{display:block;margin:1rem 0}.quiet{color:var(--quiet)}
input{font:inherit;width:100%;padding:.4rem .5rem;border:1px solid var(--line);border-radius:.3rem}
button,.button{font:inherit;display:inline-block;padding:.45rem .9rem;border:1px solid var(--line);border-radius:.3rem;cursor:pointer}
pre{font:.85rem/1.5 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere;user-select:all;padding:1rem;border:1px solid var(--line);border-radius:.3rem}
code{font:.9em ui-monospace,monospace}`

const styleHash = createHash('sha256').update(style).digest('base64')

export type Page = {
  status?: number
  title: string
  body: Html
  /** Where the page's forms may be sent, if anywhere: a source list of the content security policy. */
  forms?: string
}

/** A page of ours: it loads and runs nothing, it cannot be framed, and its forms go only where the page says. */
export const sendPage = (reply: FastifyReply, { status = 200, title, body, forms = "'none'" }: Page): FastifyReply =>
  reply
    .code(status)
    .header(
      'content-security-policy',
      `default-src 'none'; style-src 'sha256-${styleHash}'; form-action ${forms}; base-uri 'none'; frame-ancestors 'none'`,
    )
    .type('text/html; charset=utf-8')
    .send(
      html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · svc</title><style>${{ html: style }}</style></head>
<body><main><h1>${title}</h1>
${body}
</main></body></html>
`.html,
    )

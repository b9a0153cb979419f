import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { pageStyle } from './page-style.ts'

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

const styleHash = createHash('sha256').update(pageStyle).digest('base64')

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
<title>${title} · svc</title><style>${{ html: pageStyle }}</style></head>
<body><header class="plain-bar">svc</header><main><h1>${title}</h1>
${body}
</main></body></html>
`.html,
    )

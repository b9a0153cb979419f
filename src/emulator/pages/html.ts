/** Markup that goes into a page as it is. */
export type Html = { html: string }

/** A template that escapes values unless they are markup themselves; lists are joined, undefined is nothing. */
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

const escaped = (text: string): string => text.replace(/[&<>"']/g, (char) => entities[char] ?? char)

const style = `body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1f2328;
overflow-wrap:anywhere}a{color:#0969da;text-decoration:none}a:hover{text-decoration:underline}h1{line-height:1.25}
h1 small,.by{color:#59636e;font-weight:400}h2{font-size:1.1rem;margin-top:2rem}h3{font-size:1rem}
ul{padding:0;list-style:none}li{margin:.3rem 0}li:has(>.mark){display:flex}ul.text{padding-left:1.5rem;list-style:disc}
code,pre{font:.87em/1.5 ui-monospace,monospace}pre{white-space:pre-wrap;background:#f6f8fa;padding:1rem;border-radius:6px}
.wide{overflow-x:auto}.wide,details{margin:.6rem 0}table{border-collapse:collapse;overflow-wrap:normal}
th,td{border:1px solid #d1d9e0;padding:.3rem .6rem;text-align:left;vertical-align:top}summary{cursor:pointer}article{border:1px solid #d1d9e0;border-radius:6px;margin:1rem 0;
padding:.5rem 1rem}.mark{flex:none;display:inline-block;width:6.5rem;font-size:.85rem;line-height:1.75}.success{color:#1a7f37}
.failure,.startup_failure,.timed_out{color:#d1242f}.queued,.waiting,.in_progress{color:#9a6700}
.added{color:#116329;background:#dafbe1}.removed{color:#82071e;background:#ffebe9}.changed{color:#953800;background:#fff1e5}@media(prefers-color-scheme:dark){
body{background:#0d1117;color:#f0f6fc}a{color:#4493f8}pre{background:#151b23}article,th,td{border-color:#3d444d}
h1 small,.by{color:#9198a1}.success{color:#3fb950}.failure,.startup_failure,.timed_out{color:#f85149}
.queued,.waiting,.in_progress{color:#d29922}.added{color:#aff5b4;background:#033a16}
.removed{color:#ffdcd7;background:#67060c}.changed{color:#ffdfb6;background:#5a1e02}}`

export const page = (title: string, body: Html): string =>
  html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><style>${{ html: style }}</style></head><body>${body}</body></html>`.html

/** A status as a word in its colour. */
export const mark = (thing: { status: string; conclusion: string | null }): Html => {
  const word = thing.conclusion ?? thing.status
  return html`<span class="mark ${word}">${word.replaceAll('_', ' ')}</span>`
}

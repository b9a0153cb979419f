import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { markdown } from '#emulator/pages/markdown.ts'
import { hubFor } from '../hub.ts'

t.test('Markdown that apps write is shown as GitHub shows it', async (t) => {
  const cases = [
    // Markdown                              in the page
    ['plain & <b>', '<p>plain &amp; &lt;b&gt;<br></p>'],
    ['### Title of `x`', '<h3>Title of <code>x</code></h3>'],
    ['- one\n- **two**', '<ul class="text"><li>one</li>\n<li><strong>two</strong></li></ul>'],
    [
      '| A | B |\n| --- | :-: |\n| a \\| b | c<br>d |',
      '<div class="wide"><table><tr><th>A</th>\n<th>B</th></tr><tr><td>a | b</td>\n<td>c<br>d</td></tr></table></div>',
    ],
    ['| not a table', '<p>| not a table<br></p>'],
    ['````\n```\n# <x>\n````', '<pre>```\n# &lt;x&gt;</pre>'],
    [
      '```diff\n+ <a>\n  b\n- c\n! d\n```',
      '<pre><span class="added">+ &lt;a&gt;</span>\n  b\n<span class="removed">- c</span>\n<span class="changed">! d</span></pre>',
    ],
    ['```\nnever closed', '<pre>never closed</pre>'],
    ['<!-- unseen -->\nseen', '<p>seen<br></p>'],
    [
      '<details><summary><code>a</code> +1</summary>\n\nin\n\n</details>',
      '<details><summary><code>a</code> +1</summary>\n<p>in<br></p>\n</details>',
    ],
    [
      '[`a`](http://x.test/?a=%28&b)',
      '<p><a rel="noreferrer" href="http://x.test/?a=%28&amp;b"><code>a</code></a><br></p>',
    ],
    ['[a](javascript:alert(1))', '<p>[a](javascript:alert(1))<br></p>'],
    ['\\*no\\* \\<b> &#42; &lt; &copy;', '<p>*no* &lt;b&gt; * &lt; &amp;copy;<br></p>'],
    ['<code>&#60;&#96;</code> <script>', '<p><code>&lt;`</code> &lt;script&gt;<br></p>'],
    ['odd ` tick, ** stars, [ bracket', '<p>odd ` tick, ** stars, [ bracket<br></p>'],
  ] as const
  for (const [text, shown] of cases) t.equal(markdown(text).html, shown, text)
})

t.test('no comment of the service brings its own markup into the page', async (t) => {
  const comments = join(import.meta.dirname, '../../fixtures/comments')
  const known = /^\/?(p|br|h3|ul|li|div|table|tr|th|td|pre|code|span|strong|details|summary|a)$/
  for (const name of readdirSync(comments)) {
    const shown = markdown(readFileSync(join(comments, name), 'utf8')).html
    const tags = [...shown.matchAll(/<([^\s>]+)/g)].map(([, tag]) => tag!)
    t.same(
      tags.filter((tag) => !known.test(tag)),
      [],
      name,
    )
  }
})

t.test('the pages of a pull request', async (t) => {
  const hub = await hubFor(t)
  const repository = await hub.createRepository({ owner: 'acme', name: 'infra', files: { 'a.tf': '' } })
  const pull = await hub.openPullRequest({
    repo: 'acme/infra',
    branch: 'b',
    title: 'Some <b>',
    author: 'ann',
    changes: { 'a.tf': '#' },
  })
  const comment = pull.comment('**yes**, <script>alert(1)</script>')
  pull.react(comment.id, 'rocket', 'bob')
  pull.dismissReview(pull.review('bob', 'approve', 'Fine').id, 'ann')
  const answer = await fetch(pull.url)
  const page = await answer.text()
  t.match(page, /<h1>Some &lt;b&gt; <small>#1<\/small><\/h1>/)
  t.match(page, '<strong>yes</strong>, &lt;script&gt;')
  t.match(page, '<span title="bob">🚀</span>')
  t.match(page, /bob reviewed \(dismissed\) <code>[0-9a-f]{7}<\/code>/)
  t.match(page, '<p>Fine<br></p>')
  t.match(answer.headers.get('content-security-policy'), /default-src 'none'/)
  const run = await pull.playWorkflowRun()
  repository.environment('prod', { reviewers: ['olga', 'acme/ops'] })
  run.job('apply', { environment: 'prod' })
  const waiting = await (await fetch(`${hub.webUrl}/acme/infra/actions/runs/${run.id}`)).text()
  t.match(waiting, 'Waits for olga or acme/ops to let it into <strong>prod</strong>')
  t.match(waiting, '<span class="mark waiting">waiting</span>')
  for (const path of ['', '/pull/1', `/actions/runs/${run.id}`, `/actions/runs/${run.id}/attempts/1`]) {
    t.equal((await fetch(`${hub.webUrl}/acme/infra${path}`)).status, 200, path)
  }
  for (const path of ['/pull/2', '/actions/runs/1', '/runs/x'])
    t.equal((await fetch(`${hub.webUrl}/acme/infra${path}`)).status, 404, path)
})

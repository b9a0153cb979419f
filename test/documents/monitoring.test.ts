import { readFileSync } from 'node:fs'
import t from 'tap'
import { parse } from 'yaml'
import { dashboardJson } from '#dev/docs/dashboard-docs.ts'
import { addresses } from '../../ui/addresses.ts'
import { metricsOfTheInterface } from './metrics-of-the-interface.ts'

const read = (path: string) => readFileSync(new URL(`../../docs/${path}`, import.meta.url), 'utf8')

type Rule = { alert: string; expr: string; annotations: { summary: string; description: string } }

const rules: Rule[] = parse(read('alerts.yml')).groups.flatMap((group: { rules: Rule[] }) => group.rules)

type Link = { url: string }
type Panel = { title: string; type: string; description?: string; targets?: { expr: string }[]; links?: Link[] }
type Dashboard = { panels: Panel[]; templating: { list: { name: string; query: string }[] }; links: Link[] }

const { panels, templating, links }: Dashboard = JSON.parse(read('dashboard.json'))

const expressions = [
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
  ...panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr] as const)),
]

t.test('docs/dashboard.json is what src/dev/docs/dashboard.ts makes', async (t) => {
  t.equal(read('dashboard.json'), dashboardJson(), 'node src/dev/docs/dashboard-docs.ts')
})

t.test('alerts and panels use only metrics that exist, by labels that they have', async (t) => {
  for (const [where, expr] of expressions) {
    const used = [...expr.matchAll(/svc_(\w+?)(_bucket)?(?![\w])(?:\{([^}]*)\})?/g)]
    t.not(used.length, 0, where)
    for (const [, name = '', bucket, matchers = ''] of used) {
      const metric = metricsOfTheInterface[name]
      t.ok(metric, `${where}: svc_${name}`)
      t.equal(metric?.type === 'histogram', bucket !== undefined, `${where}: a histogram has buckets`)
      for (const [, label = ''] of matchers.matchAll(/(\w+)=/g))
        t.ok(label in (metric?.labels ?? {}), `${where}: ${label}`)
    }
    const labels = new Set(used.flatMap(([, name = '']) => Object.keys(metricsOfTheInterface[name]?.labels ?? {})))
    const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names = '']) => names.split(/, ?/))
    t.same(
      grouped.filter((label) => label !== 'le' && !labels.has(label)),
      [],
      where,
    )
  }
})

t.test('every metric of the interface is on the dashboard', async (t) => {
  const variables = templating.list.map(({ query }) => query)
  const shown = [...panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)), ...variables].join('\n')
  t.same(
    Object.keys(metricsOfTheInterface).filter((name) => !new RegExp(`svc_${name}(_bucket)?\\b`).test(shown)),
    [],
  )
})

t.test('every alert says what is wrong and what to do, and every panel what it shows', async (t) => {
  for (const { alert, annotations } of rules) t.ok(annotations.summary && annotations.description, alert)
  for (const { title, type, description } of panels) t.ok(type === 'row' || description, title)
})

t.test('the dashboard leads to pages of the web interface, at the address that the service says', async (t) => {
  const known: string[] = Object.values(addresses).map(({ path }) => path)
  const all = [...links, ...panels.flatMap(({ links = [] }) => links)].map(({ url }) => url)
  t.ok(all.length > 5)
  for (const url of all) {
    const [, page = ''] = /^\$\{svc:raw\}(.*)$/.exec(url) ?? []
    t.ok(known.includes(page), url)
  }
  t.match(templating.list.find(({ name }) => name === 'svc')?.query, /svc_web_info, url/)
})

export type Sample = { name: string; labels: Record<string, string>; value: number }

export type Family = { type: string; samples: Sample[] }

/** What a scrape says, by the name of the metric: a reader of the text exposition format (Prometheus documentation). */
export const readExposition = (text: string): Map<string, Family> => {
  const families = new Map<string, Family>()
  let family: Family | undefined
  for (const line of text.split('\n')) {
    const [, name = '', type] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? []
    if (type !== undefined) {
      family = { type, samples: [] }
      families.set(name, family)
    } else if (line !== '' && !line.startsWith('#')) family?.samples.push(sampleOf(line))
  }
  return families
}

const sampleOf = (line: string): Sample => {
  const [, name = '', labels = '', value = ''] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
  const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label = '', text = '']) => [label, text])
  return { name, labels: Object.fromEntries(pairs), value: Number(value) }
}

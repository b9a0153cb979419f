import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateHcl } from '#test/runner/hcl/hcl-generator.ts'

const fixtures = join(import.meta.dirname, '../../fixtures')

/** What mutations begin with: every configuration file of test/fixtures, and generated ones of all that the language has. */
export const hclCorpus = (): string[] => [
  ...readdirSync(fixtures, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(?:tf|hcl|tfvars|tofu)$/.test(path))
    .sort()
    .map((path) => readFileSync(join(fixtures, path), 'utf8')),
  ...Array.from({ length: 200 }, (_, seed) => generateHcl(seed + 1)),
]

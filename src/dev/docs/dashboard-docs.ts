import { writeFile } from 'node:fs/promises'
import { dashboard } from './dashboard.ts'

/** The contents of docs/dashboard.json. */
export const dashboardJson = (): string => `${JSON.stringify(dashboard(), null, 2)}\n`

if (import.meta.main) await writeFile(new URL('../../../docs/dashboard.json', import.meta.url), dashboardJson())

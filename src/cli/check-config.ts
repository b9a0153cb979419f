import { type Config, readConfig } from '#config.ts'
import type { Env } from '#environment.ts'
import type { Answer } from './answer.ts'

/** Prepares the artifact store as start-up does. Rejects if a setting is missing that only the store's client can look for. */
export type TryStore = (options: NonNullable<Config['artifacts']>) => Promise<unknown>

/**
 * Carries out `svc-server config check`: shows everything that start-up would find wrong, or the settings that result. No secret
 * is shown, and no connection is made.
 */
export const checkConfig = async (env: Env, json: boolean, tryStore: TryStore): Promise<Answer> => {
  const read = await withStore(readConfig(env), tryStore)
  if (json) {
    const body =
      'problems' in read
        ? { ok: false, problems: read.problems }
        : { ok: true, ...Object.fromEntries(summaryOf(read.config)) }
    return { out: `${JSON.stringify(body, undefined, 2)}\n`, status: 'problems' in read ? 1 : 0 }
  }
  if ('problems' in read) {
    return { out: '', note: read.problems.map((problem) => `svc-server: ${problem}`).join('\n'), status: 1 }
  }
  const lines = summaryOf(read.config).map(([name, value]) => `${name.replaceAll('_', ' ')}: ${wordOf(value)}\n`)
  return { out: lines.join(''), status: 0 }
}

type Read = ReturnType<typeof readConfig>

/** A region may also be in a file of AWS' tools, so no variable shows that it is missing. */
const withStore = async (read: Read, tryStore: TryStore): Promise<Read> => {
  if ('problems' in read || !read.config.artifacts) return read
  return tryStore(read.config.artifacts).then(
    () => read,
    (error: Error) => ({ problems: [error.message] }),
  )
}

const summaryOf = (config: Config): [name: string, value: string | number | boolean][] => [
  ['base_url', config.baseUrl],
  ['listen', `${config.listen.host}:${config.listen.port}`],
  ['code_host', config.codehost.webUrl],
  ['setup_mode', config.app === undefined],
  ['sign_in', config.oauth !== undefined],
  ['sessions_outlive_a_restart', !config.sessionKey.generated],
  ['artifact_bucket', config.artifacts?.bucket ?? false],
  ['metrics_need_a_token', config.metricsToken !== undefined],
  ['workers', config.workers],
]

const wordOf = (value: string | number | boolean): string =>
  typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value)

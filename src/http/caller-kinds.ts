import type { AnyCaller } from '#commands/caller.ts'

/**
 * Who may call a route. `runner` and `key` send bearer tokens, `person` a browser's cookie; `codehost` signs the body; `scraper` sends the metrics token
 * where one is set; `anyone` is anyone. Each route names its callers: a route that does not, ends the start.
 */
export type CallerKind = AnyCaller['kind'] | 'codehost' | 'scraper' | 'anyone'

declare module 'fastify' {
  interface FastifyContextConfig {
    callers?: readonly CallerKind[]
  }
  interface FastifyRequest {
    /** Set by the hook that enforces `callers`. */
    caller: AnyCaller | undefined
  }
}

import type { AnyCaller } from '#commands/callers/caller.ts'

/**
 * Who may call a route. `runner` and `key` send bearer tokens, `person` a browser's cookie; `codehost` signs the body;
 * `scraper` sends the metrics token if one is set; `anyone` is anyone. Each route must name its callers, or the service does
 * not start.
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

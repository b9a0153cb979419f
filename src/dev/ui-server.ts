import { join } from 'node:path'
import { createServer } from 'vite'

/** What the service answers itself; all else is the web interface's. */
const api = '^/(v1|auth|setup|healthz|readyz|metrics|webhooks|svc\\.schema\\.json)([/?]|$)'

/**
 * Serves the web interface from its sources at `port`, each change shown at once, with the service behind it at the same address:
 * cookies and requests are as they are in production. Only the policy of the built one is missing, since what reloads needs scripts
 * in the document.
 */
export const startUiServer = async ({ port, service }: { port: number; service: string }) => {
  const server = await createServer({
    root: join(import.meta.dirname, '../../ui'),
    configFile: join(import.meta.dirname, '../../ui/vite.config.ts'),
    base: '/',
    logLevel: 'warn',
    clearScreen: false,
    server: { host: '127.0.0.1', port, strictPort: true, proxy: { [api]: { target: service } } },
  })
  await server.listen()
  return { close: () => server.close() }
}

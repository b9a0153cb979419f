import type { Emulator } from '#emulator/emulator.ts'

/** What `npm start` would get, for a service beside this emulator: at any free port, unless one is named. */
export const serviceEnvironment = (github: Emulator, databaseUrl: string, port = 0): Record<string, string> => ({
  // the audience of tokens too
  SVC_BASE_URL: 'http://svc.example.com',
  SVC_LISTEN: `127.0.0.1:${port}`,
  DATABASE_URL: databaseUrl,
  CODEHOST_APP_ID: String(github.app.id),
  CODEHOST_APP_PRIVATE_KEY: github.app.privateKey,
  CODEHOST_WEBHOOK_SECRET: github.app.webhookSecret,
  CODEHOST_API_URL: github.url,
  CODEHOST_WEB_URL: github.webUrl,
  CODEHOST_OIDC_ISSUER: github.issuer,
})

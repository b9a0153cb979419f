import { z } from 'zod'

export const Whoami = z
  .object({
    login: z.string().describe("Of the person; of an API key `apikey:` and the key's name"),
    avatar_url: z.string().optional(),
    orgs: z.array(z.string()).describe('Organisations of the person at sign-in'),
    admin: z
      .boolean()
      .describe(
        'Whether the queue is open to the caller: true for API keys, and for people who own every account that has the app',
      ),
    codehost_url: z.string().describe('Where people see the code host: links to repositories begin with it'),
    dashboard_url: z
      .string()
      .optional()
      .describe("Where people see the service's metrics, if SVC_DASHBOARD_URL says so"),
    version: z.string().describe('Of the service'),
    command: z.string().describe('The word that commands in comments begin with'),
  })
  .meta({ id: 'Whoami', description: 'Who the caller is' })

export type Whoami = z.infer<typeof Whoami>

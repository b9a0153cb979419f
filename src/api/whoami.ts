import { z } from 'zod'

export const Whoami = z
  .object({
    login: z.string().describe("Of the person; of an API key `apikey:` and the key's name"),
    avatar_url: z.string().optional(),
    orgs: z.array(z.string()).describe('Organisations of the person as they were at sign-in'),
    admin: z.boolean().describe('Whether every repository is visible, and the queue: true for API keys'),
  })
  .meta({ id: 'Whoami', description: 'Who the caller is' })

export type Whoami = z.infer<typeof Whoami>

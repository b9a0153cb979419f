import { z } from 'zod'

/** What a job runs beside the tool is never the pull request's to say. */
export const RunConfig = z
  .object({
    config: z
      .record(z.string(), z.unknown())
      .describe(
        "svc.yml of the default branch after its defaults, as a job needs it: its checks, and its stacks' hooks. The defaults if there is no such file, or an invalid one",
      ),
  })
  .meta({ id: 'RunConfig', description: "The default branch's configuration, for the jobs of a run" })

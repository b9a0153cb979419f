import { z } from 'zod'
import { datesProblem, looksLikeDates } from '../calendar/time-range.ts'
import { isTimeZone } from '../calendar/time-zone.ts'
import { does, type ObjectOf, says, Team } from './config-values.ts'
import { cronProblem } from './cron.ts'

/** A cron line whose minutes are meant, or days. */
export const TimeRange = says(
  {
    title: 'times',
    description:
      'a cron line, all of whose minutes are meant (`* 17-23 * * fri` is Friday from 17:00 to midnight), a day (`2027-12-24`), or the days from one to another, which counts whole (`2027-12-24..2027-12-26`, `2027-12-24T18:00..2027-12-27T06:00`)',
    pattern: '\\S',
  },
  (text) => {
    if (looksLikeDates(text)) return datesProblem(text)
    const problem = cronProblem(text)
    return problem === undefined ? undefined : `'${text}': ${problem}`
  },
)

export const TimeZone = says(
  {
    title: 'time zone',
    description: 'a name of the IANA database, such as `Europe/Berlin`; `UTC` if not set',
    pattern: '^\\S+$',
  },
  (text) => (isTimeZone(text) ? undefined : `'${text}' is no time zone such as Europe/Berlin`),
)

const mostWindows = 50
const mostReasonChars = 300

const checkWindow = (
  { allow, deny }: { allow?: string | undefined; deny?: string | undefined },
  context: z.RefinementCtx,
): void => {
  if ((allow === undefined) !== (deny === undefined)) return
  const message =
    allow === undefined ? 'is missing: expected deny, or allow' : 'is one too many: a window has allow or deny'
  context.addIssue({ code: 'custom', path: ['deny'], message })
}

/** `apply.windows`. */
export const windowsKey = (object: ObjectOf) =>
  z
    .array(
      object({
        deny: TimeRange.optional().meta(does('No apply begins at these times.', '* 17-23 * * fri')),
        allow: TimeRange.optional().meta(
          does(
            'Applies begin at these times, or those of another window of this kind, and at no other.',
            '* 9-16 * * mon-fri',
          ),
        ),
        time_zone: TimeZone.default('UTC').meta(does('Whose clock the times are read from.', 'Europe/Berlin')),
        except_teams: z
          .array(Team)
          .max(mostWindows)
          .default([])
          .meta(does('Members of one of these teams are not kept by the window when they ask for an apply.', ['sre'])),
        reason: z
          .string()
          .trim()
          .min(1)
          .max(mostReasonChars)
          .optional()
          .meta({ title: 'text', ...does('What the answer says of it.', 'nobody is there to look after it') }),
        hold: z
          .enum(['waves'])
          .optional()
          .meta(
            does(
              '`waves`: an apply that is under way waits with its next wave until applies may begin. Without it, what has begun goes on.',
              'waves',
            ),
          ),
      }).superRefine(checkWindow),
    )
    .max(mostWindows)
    .default([])
    .meta(
      does(
        'When applies may begin, by the clock of the database: inside of no `deny`, and inside of an `allow` where there are any.',
      ),
    )

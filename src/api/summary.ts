import * as plan from '#domain/plan-summary.ts'

const { added, changed, destroyed, replaced } = plan.Summary.shape
const what = (resources: string): string => `Addresses of the resources ${resources}`

/** What a plan would change, or an apply changed. */
export const Summary = plan.Summary.extend({
  added: added.describe(what('added')),
  changed: changed.describe(what('changed in place')),
  destroyed: destroyed.describe(what('destroyed')),
  replaced: replaced.describe(what('replaced')),
}).meta({ id: 'Summary', description: 'Counts and addresses of changes' })

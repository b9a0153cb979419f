/** Why no report of a stack will come any more (docs/interface.md, 'States'): the stack is unknown then. */
export const lostReasons = ['workflow_finished', 'not_picked_up', 'dispatch_refused', 'not_reported'] as const

import { describeMachine, type Kind } from '#runtime/inspect.ts'

/** A kind of machine as data, made from the machine itself: for everybody who may see any. */
export const describeKind = (kind: Kind) => describeMachine(kind)

import type { StackStatus } from '#api/runs/run-stack.ts'

/** What a status means, whatever it looks like (src/domain/run-status.ts; a test holds these to it). */
export const openStatuses = ['pending', 'planning', 'applying'] as const satisfies readonly StackStatus[]

export const brokenStatuses = ['failed', 'unknown', 'unconfirmed'] as const satisfies readonly StackStatus[]

export const isOpen = (status: StackStatus): boolean => openStatuses.some((one) => one === status)

export const isBroken = (status: StackStatus): boolean => brokenStatuses.some((one) => one === status)

import { createRootRoute } from '@tanstack/react-router'

/** What every page is below. */
export const root = createRootRoute()

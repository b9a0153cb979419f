import type { Overview } from '#api/overview.ts'
import { getJson, pathOf } from './client.ts'

export type { Overview }

export const readOverview = (signal?: AbortSignal): Promise<Overview> => getJson(pathOf('overview'), signal)

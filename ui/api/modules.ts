import type { ModuleDetail } from '#api/repositories/module.ts'
import { getJson, pathOf, withQuery } from './client.ts'
import { type Page, readUpTo } from './page.ts'

export type { ModuleDetail }

/** A stack that uses a module. */
export type Consumer = NonNullable<ModuleDetail['consumers']>[number]

/** More than these nobody reads in a table. */
const most = 2000

/** Modules by key, each with how many stacks use it. */
export const readModules = (signal?: AbortSignal): Promise<Page<ModuleDetail>> =>
  readUpTo((part) => getJson(withQuery('/v1/modules', { consumers: 'none', ...part }), signal), most)

/** A module with its versions and the stacks that use it. */
export const readModule = (id: string, signal?: AbortSignal): Promise<ModuleDetail> =>
  getJson(pathOf('modules', id), signal)

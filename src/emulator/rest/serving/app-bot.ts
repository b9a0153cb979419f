import type { Account } from '#emulator/records.ts'
import { accountOf } from '#emulator/store.ts'
import type { World } from '#emulator/world.ts'

/** The bot that acts for the app. */
export const appBot = (world: World): Account => accountOf(world.store, `${world.app.slug}[bot]`, 'Bot', world.clock())

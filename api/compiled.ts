import type { startServer as start } from './server.ts'

/** What the programs import from the API. The build compiles it and its imports into one file with bytecode. */
export { createTerminalApp } from './app-on-demand.ts'
export { openContext } from './context.ts'
export { closeIfWhole, damageOf, recordIfDamage } from './db/damage.ts'
export { assertDatabaseThere, databaseFile } from './db/data-dir.ts'
export { assertSound, heedDamageMark } from './db/integrity.ts'
export { openDataDir } from './db/open.ts'
export { foreignParts, openForeign } from './db/own-schema.ts'
export { assertLogThere, describeServer, lockDataDir } from './db/server-lock.ts'
export { toDamageError } from './db/startup-error.ts'
export { AppError } from './errors.ts'
export { ensureTiers, listTiers } from './features/tiers/service.ts'
export { createLog } from './log.ts'
export { assertSameMode } from './provider-account.ts'
export { assertSetUp } from './release.ts'
export { readSettings, StartupError } from './settings.ts'

/** Loaded on first call: the terminal rarely needs these. */
export const startServer: typeof start = async (settings) => (await import('./server.ts')).startServer(settings)
export const loadContent = () => import('./features/content/service.ts')
export const loadMedia = () => import('./features/media/queries.ts')
export const loadMediaStore = () => import('./features/media/store-service.ts')
export const loadCopy = () => import('./db/copy.ts')
export const loadRemoteMedia = () => import('./features/media/remote-service.ts')
export const loadReturn = () => import('./features/move-out/return-service.ts')
export const loadSeed = () => import('./features/sandbox/seed-service.ts')

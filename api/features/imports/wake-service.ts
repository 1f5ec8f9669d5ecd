import { createWakeUp } from '#api/wake-up.ts'

/** Wakes the job that plans, applies and undoes imports. */
export const { subscribe: onImportWaiting, wake: wakeImports } = createWakeUp()

import { createWakeUp } from '#api/wake-up.ts'

/** Wakes the job that reads what waits, and makes AAC copies. */
export const { subscribe: onFileArrived, wake: wakeFiles } = createWakeUp()

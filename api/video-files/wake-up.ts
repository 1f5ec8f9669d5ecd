import { createWakeUp } from '#api/wake-up.ts'

/** Wakes the job that makes light versions and sound. */
export const { subscribe: onVideoFileChanged, wake: wakeVersions } = createWakeUp()

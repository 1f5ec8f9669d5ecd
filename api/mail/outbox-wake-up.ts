import { createWakeUp } from '#api/wake-up.ts'

export const { subscribe: onMailQueued, wake: wakeOutbox } = createWakeUp()

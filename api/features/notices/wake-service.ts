import { createWakeUp } from '#api/wake-up.ts'

export const { subscribe: onNotice, wake: wakeNotices } = createWakeUp()

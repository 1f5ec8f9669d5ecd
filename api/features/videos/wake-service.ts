import { createWakeUp } from '#api/wake-up.ts'

export const { subscribe: onVideoOut, wake: wakeTelling } = createWakeUp()

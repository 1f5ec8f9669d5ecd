import { deviceStorage } from '#pwa/lib/storage.ts'

/** Holds nothing about the payment; a logout deletes it with everything else of the member. */
const key = 'paid-slip'

/** After a payment: the members' area shows what was paid until the member closes it. */
export const openPaidSlip = () => deviceStorage.setItem(key, 'open')
export const isPaidSlipOpen = () => deviceStorage.getItem(key) !== null
export const closePaidSlip = () => deviceStorage.removeItem(key)

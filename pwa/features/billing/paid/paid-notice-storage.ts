import { deviceStorage } from '#pwa/lib/storage.ts'

/** Holds nothing about the payment; a logout deletes it with everything else of the member. */
const key = 'paid-notice'

/** After a payment: the members' area shows what was paid until the member closes it. */
export const openPaidNotice = () => deviceStorage.setItem(key, 'open')
export const isPaidNoticeOpen = () => deviceStorage.getItem(key) !== null
export const closePaidNotice = () => deviceStorage.removeItem(key)

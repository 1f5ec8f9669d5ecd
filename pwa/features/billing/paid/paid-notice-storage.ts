import { deviceStorage } from '#pwa/lib/storage.ts'

const key = 'paid-notice'

/** After a payment: the members' area shows it until the member closes it. */
export const openPaidNotice = () => deviceStorage.setItem(key, 'open')
export const isPaidNoticeOpen = () => deviceStorage.getItem(key) !== null
export const closePaidNotice = () => deviceStorage.removeItem(key)

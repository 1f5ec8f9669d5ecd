import { idRandomBytes, uuidV7 } from '#shared/rules/id.ts'

/** Names what is about to be sent, so that it is one row, one refund or one mail however often it is sent. */
export const newKey = () => uuidV7(Date.now(), crypto.getRandomValues(new Uint8Array(idRandomBytes)))

import { idRandomBytes, uuidV7 } from '#shared/rules/id.ts'

/** An idempotency key for a request about to be sent, so that retries make one row, one refund or one email. */
export const newKey = () => uuidV7(Date.now(), crypto.getRandomValues(new Uint8Array(idRandomBytes)))

/** Stripe's calls come from outside and are authenticated by a signature over the raw body. */
export const webhookPath = '/api/stripe/webhook'

/** Mail programs post to it, form-encoded (RFC 8058). It's authenticated by its token and ignores cookies. */
export const unsubscribePath = '/api/mail/unsubscribe'

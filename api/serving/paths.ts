/** Stripe's calls come from outside and are authenticated by a signature over the raw body. */
export const webhookPath = '/api/stripe/webhook'

/** Mail programs post to it, form-encoded (RFC 8058). It's authenticated by its token and ignores cookies. */
export const unsubscribePath = '/api/mail/unsubscribe'

/** Pages whose form a browser without our scripts posts to the page itself. */
export const postedFormPaths = ['/contact', '/coaching-application', '/book-coaching-call'] as const
export type PostedFormPath = (typeof postedFormPaths)[number]

/** Where a share sheet posts what's shared, if no service worker takes it. Nothing of it is read here. */
export const sharePath = '/members/share'

export const isPostedForm = (path: string): boolean => postedFormPaths.some((one) => one === path)

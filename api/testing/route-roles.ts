import { ownerRoutes } from './owner-routes.ts'

/** Lowest to highest. Each may do everything the ones before may. */
export const roles = ['visitor', 'person', 'member', 'owner'] as const
export type Role = (typeof roles)[number]

/** The calendar. Emailed links only need their signature. */
const calendar: Record<string, Role> = {
  ...Object.fromEntries(
    ['GET slots/:kind', 'POST holds', 'GET call', 'GET call/slots', 'GET call.ics', 'GET feeds/:feed']
      .concat(['confirm', 'move', 'cancel'].map((action) => `POST call/${action}`))
      .map((name) => [name.replace(' ', ' /api/calendar/'), 'visitor' as const]),
  ),
  'POST /api/calendar/calls': 'member',
  'GET /api/calendar/mine': 'member',
  'PUT /api/calendar/mine/:id/agreed': 'member',
}

const billing = Object.fromEntries(
  ['GET subscription', 'GET next-payment', 'POST cancel', 'POST resume', 'POST end', 'POST change-tier']
    .concat(['DELETE change-tier', 'POST upgrade/preview', 'POST upgrade', 'POST upgrade/settle'])
    .concat(['GET payment-method', 'POST card', 'POST card/settle', 'POST pay', 'GET address'])
    .concat(['PUT address', 'GET invoices', 'GET invoices/:id', 'GET invoices/:id/pdf'])
    .concat(['GET credit-notes/:id', 'GET credit-notes/:id/pdf'])
    .map((name) => [name.replace(' ', ' /api/billing/'), 'person' as const]),
)

const below = (folder: string, role: Role, names: string): Record<string, Role> =>
  Object.fromEntries(names.split(', ').map((name) => [name.replace(' ', ` /api/${folder}/`), role]))

/** A member's own account. Emailed links only need their token. */
const ownAccount: Record<string, Role> = {
  ...below('user', 'person', 'GET profile, PATCH profile, GET sessions, POST sessions/revoke, GET activity'),
  ...below('user', 'person', 'GET mail-choices, PUT mail-choices, POST archive, DELETE account, GET cancellations'),
  ...below('user', 'person', 'PUT photo, DELETE photo'),
  ...below('photos', 'person', 'GET :id'),
  ...below('email-change', 'visitor', 'POST confirm, POST report, POST undo'),
  ...below('mail', 'visitor', 'GET unsubscribe, POST unsubscribe'),
  'POST /api/auth/change-password': 'person',
  ...below('user', 'person', 'GET sign-in, POST passkeys/new, POST passkeys, DELETE passkeys/:id'),
}

const announcements: Record<string, Role> = {
  'GET /api/announcements': 'member',
  'PUT /api/announcements/put-away': 'member',
}

const lessons = Object.fromEntries(
  [
    'GET member-videos',
    'GET member-videos/texts',
    'GET member-videos/search-words',
    'GET member-videos/:id/captions',
    'GET video-progress',
    'GET shelf',
    'PUT shelf/kept',
  ]
    .concat(
      ['complete', 'incomplete'].map((mark) => `POST video-progress/:id/${mark}`),
      'POST video-progress/sync',
    )
    .map((name) => [name.replace(' ', ' /api/'), 'member' as const]),
)

const gettingIn = Object.fromEntries(
  [
    'login',
    'logout',
    'code',
    'code/login',
    'passkey',
    'passkey/login',
    'forgot-password',
    'reset-password',
    'reset-password/check',
    'token',
    'continue',
  ].map((name) => [`POST /api/auth/${name}`, 'visitor' as const]),
)

const files = Object.fromEntries(
  [
    'sitemap.xml',
    'rss.xml',
    'podcast.xml',
    'robots.txt',
    '.well-known/security.txt',
    '.well-known/change-password',
    'manifest.webmanifest',
    'favicon.ico',
  ]
    .concat(['media', 'photographs', 'icons', 'social', 'pictures'].map((folder) => `${folder}/:file`))
    .map((name) => [`GET /${name}`, 'visitor' as const]),
)

export const lowestRole: Record<string, Role> = {
  ...files,
  ...gettingIn,
  ...lessons,
  ...ownAccount,
  ...billing,
  'GET /api/auth/user': 'person',
  'POST /api/auth/proof': 'person',
  'GET /api/logout': 'visitor',
  'POST /api/auth/set-password': 'person',
  'DELETE /api/auth/token': 'person',
  'GET /api/membership-tiers': 'visitor',
  'GET /api/site-content': 'visitor',
  'GET /api/blog': 'visitor',
  'GET /api/blog/:slug': 'visitor',
  'GET /api/health': 'visitor',
  'GET /api/health/history': 'visitor',
  'GET /ready': 'visitor',
  'POST /api/analytics/events': 'visitor',
  'GET /api/media/:file': 'member',
  'GET /api/media/:file/pieces': 'member',
  'POST /api/membership-application': 'visitor',
  'POST /api/membership-application/email': 'visitor',
  'POST /api/coaching-application': 'visitor',
  'POST /api/coaching-bookings': 'visitor',
  'POST /api/contact': 'visitor',
  'GET /api/payment-config': 'visitor',
  'POST /api/create-subscription': 'visitor',
  'GET /api/delayed-subscription': 'visitor',
  'POST /api/create-delayed-subscription': 'visitor',
  'POST /api/create-quotient-payment': 'visitor',
  'POST /api/quotient-payment-state': 'visitor',
  'POST /api/stripe/webhook': 'visitor',
  'GET /api/invitation': 'visitor',
  'POST /api/owner-invitation': 'visitor',
  'POST /api/owner-invitation/accept': 'visitor',
  ...calendar,
  ...announcements,
  ...Object.fromEntries(ownerRoutes.map((name) => [name, 'owner' as const])),
  'GET /api/docs': 'visitor',
  'GET /api/docs/json': 'visitor',
  'GET /sandbox': 'visitor',
  'POST /sandbox/do': 'visitor',
  'GET /sandbox/mail': 'visitor',
  'GET /sandbox/mail/:id': 'visitor',
  'GET /sandbox/mail/:id/html': 'visitor',
  'GET /sandbox/pages/:name': 'visitor',
  'GET /sandbox/stripe/*': 'visitor',
  'POST /sandbox/stripe/*': 'visitor',
  'GET /*': 'visitor',
  'ALL /*': 'visitor',
}

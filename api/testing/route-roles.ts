/** From the lowest to the highest: each may do what those before it may. */
export const roles = ['visitor', 'person', 'member', 'owner'] as const
export type Role = (typeof roles)[number]

/** What an owner reads and does on a member's page. */
const memberPage = Object.fromEntries(
  [
    'GET record',
    'GET activity',
    'PUT profile',
    'PUT address',
    'PUT free-access',
    'DELETE free-access',
    'PUT free-month',
    'POST archive',
  ]
    .concat(['POST refunds', 'POST card-link', 'POST subscription/tier', 'DELETE subscription/tier'])
    .concat(['cancel', 'resume', 'end'].map((action) => `POST subscription/${action}`))
    .map((name) => [name.replace(' ', ' /api/admin/members/:memberId/'), 'owner' as const]),
)

/** Our own calendar. What a mailed link does asks for its signature alone. */
const calendar: Record<string, Role> = {
  ...Object.fromEntries(
    ['GET slots/:kind', 'POST holds', 'GET call', 'GET call/slots', 'GET call.ics', 'GET feeds/:feed']
      .concat(['confirm', 'move', 'cancel'].map((action) => `POST call/${action}`))
      .map((name) => [name.replace(' ', ' /api/calendar/'), 'visitor' as const]),
  ),
  ...{ 'POST /api/calendar/calls': 'member', 'GET /api/calendar/mine': 'member' },
  'PUT /api/calendar/mine/:id/agreed': 'member',
  'GET /api/admin/calendar': 'owner',
  ...Object.fromEntries(
    ['PUT hours', 'PUT rules', 'POST days', 'DELETE days/:id', 'POST allowances', 'GET calls', 'POST calls/:id/move']
      .concat([
        'POST calls/:id/cancel',
        'GET calls/:id/agreed',
        'PUT calls/:id/agreed',
        'GET feeds',
        'POST feeds',
        'DELETE feeds/:id',
        'POST feeds/:id/renew',
        'PUT weeks',
        'GET mornings',
        'PUT mornings',
        'GET monthly',
        'POST monthly/:memberId/ask',
      ])
      .map((name) => [name.replace(' ', ' /api/admin/calendar/'), 'owner' as const]),
  ),
}

/** What an owner reads and changes of what the site shows. */
const whatIsShown = Object.fromEntries(
  ['GET tiers', 'PATCH tiers/:tier', 'GET tiers/:tier/price', 'POST tiers/:tier/price']
    .concat(['GET videos', 'GET videos/hosted', 'POST videos', 'PUT videos/order', 'PATCH videos/:id'])
    .concat(['GET videos/:id/texts', 'PUT videos/:id/texts'])
    .concat([
      'GET unfinished',
      'GET analytics/counts',
      'GET watching',
      'GET watching/retention',
      'GET watching/lessons',
      'DELETE videos/:id',
      'PUT videos/:id/files',
      'POST media',
    ])
    .concat(['GET videos/categories', 'PUT videos/categories', 'GET videos/:id/viewers', 'PUT videos/:id/handouts'])
    .concat(['GET media', 'DELETE media/:id', 'GET media/room', 'GET media/uploads', 'POST media/uploads'])
    .concat(['GET', 'PATCH', 'DELETE'].map((method) => `${method} media/uploads/:id`))
    .concat(['POST media/uploads/:id/finish'])
    .concat(['GET content', 'GET content/:page', 'GET content/:page/history', 'PUT content/:page'])
    .concat(['POST content/:page/reset', 'GET settings', 'PUT settings/:name', 'GET blog', 'POST blog'])
    .concat(['GET content/:page/draft', 'PUT content/:page/draft', 'DELETE content/:page/draft'])
    .concat(['POST content/:page/publish', 'POST content/:page/tell', 'GET content-drafts'])
    .concat(['GET mail-words', 'GET mail-words/:kind', 'POST mail-words/:kind/test'])
    .concat(['GET setup', 'POST setup/:name/check', 'GET site-copy'])
    .concat(['POST blog/preview', 'GET blog/:id', 'PATCH blog/:id', 'DELETE blog/:id'])
    .concat(['POST blog/import', 'GET blog/:id/versions', 'GET blog/:id/versions/:number'])
    .concat(['POST blog/:id/versions/:number/restore'])
    .concat(['GET podcast', 'POST podcast', 'GET podcast/:id', 'PATCH podcast/:id', 'DELETE podcast/:id'])
    .map((name) => [name.replace(' ', ' /api/admin/'), 'owner' as const]),
)

/** What a person does about their own payments. */
const billing = Object.fromEntries(
  ['GET subscription', 'POST cancel', 'POST resume', 'POST end', 'POST change-tier']
    .concat(['DELETE change-tier', 'POST upgrade/preview', 'POST upgrade', 'POST upgrade/settle'])
    .concat(['GET payment-method', 'POST card', 'POST card/settle', 'POST pay', 'GET address'])
    .concat(['PUT address', 'GET invoices', 'GET invoices/:id', 'GET invoices/:id/pdf'])
    .concat(['GET credit-notes/:id', 'GET credit-notes/:id/pdf'])
    .map((name) => [name.replace(' ', ' /api/billing/'), 'person' as const]),
)

const below = (folder: string, role: Role, names: string): Record<string, Role> =>
  Object.fromEntries(names.split(', ').map((name) => [name.replace(' ', ` /api/${folder}/`), role]))

/** What members do with their own account. What a mailed link does asks for its token alone. */
const ownAccount: Record<string, Role> = {
  ...below('user', 'person', 'GET profile, PATCH profile, GET sessions, POST sessions/revoke, GET activity'),
  ...below('user', 'person', 'GET mail-choices, PUT mail-choices, POST archive, DELETE account, GET cancellations'),
  ...below('user', 'person', 'PUT photo, DELETE photo'),
  ...below('photos', 'person', 'GET :id'),
  ...below('admin/photos', 'owner', 'GET :id'),
  ...below('admin/members/:memberId', 'owner', 'DELETE photos/:id'),
  ...below('email-change', 'visitor', 'POST confirm, POST undo'),
  'POST /api/mail/unsubscribe': 'visitor',
  'POST /api/auth/change-password': 'person',
  ...below('user', 'person', 'GET sign-in, POST passkeys/new, POST passkeys, DELETE passkeys/:id'),
}

/** An owner's second factor. */
const secondFactor = below(
  'admin',
  'owner',
  'POST second-factor, POST second-factor/confirm, DELETE second-factor, POST second-factor/recovery-codes, POST owners/second-factor-reset',
)

/** What owners tell members. */
const telling = {
  ...below('announcements', 'member', 'PUT put-away'),
  'GET /api/announcements': 'member',
  'GET /api/admin/announcements': 'owner',
  'POST /api/admin/announcements': 'owner',
  ...below('admin/announcements', 'owner', 'PATCH :id, POST :id/end, DELETE :id'),
  'GET /api/admin/mailings': 'owner',
  'POST /api/admin/mailings': 'owner',
  ...below('admin/mailings', 'owner', 'GET :id, PATCH :id, DELETE :id, GET :id/preview, POST :id/test, POST :id/send'),
  ...below('admin/mailings', 'owner', 'POST :id/pause, POST :id/resume, POST :id/stop, GET :id/people'),
  'GET /api/admin/follow-ups': 'owner',
  ...{ 'GET /api/admin/mailing-audience': 'owner', 'GET /api/admin/mailing-audience/count': 'owner' },
} satisfies Record<string, Role>

/** The lessons and what a member did of them. */
const lessons = Object.fromEntries(
  ['GET member-videos', 'GET member-videos/texts', 'GET member-videos/:id/captions', 'GET video-progress']
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

/** Files that everybody may load. */
const files = Object.fromEntries(
  ['sitemap.xml', 'rss.xml', 'podcast.xml', 'robots.txt', 'manifest.webmanifest', 'favicon.ico']
    .concat(['media', 'photographs', 'icons', 'social', 'pictures'].map((folder) => `${folder}/:file`))
    .map((name) => [`GET /${name}`, 'visitor' as const]),
)

/** Who may do what: every route, and the lowest role that gets past its guard. */
export const lowestRole: Record<string, Role> = {
  ...whatIsShown,
  ...files,
  ...{ ...gettingIn, ...lessons, ...ownAccount },
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
  'POST /api/analytics/events': 'visitor',
  'GET /api/media/:file': 'member',
  'POST /api/membership-application': 'visitor',
  'POST /api/membership-application/email': 'visitor',
  'POST /api/coaching-application': 'visitor',
  'POST /api/coaching-bookings': 'visitor',
  'POST /api/contact': 'visitor',
  'POST /api/admin/members/:memberId/upgrade/preview': 'owner',
  'POST /api/admin/members/:memberId/upgrade': 'owner',
  'GET /api/admin/invoices': 'owner',
  'GET /api/admin/exports/invoices.csv': 'owner',
  'POST /api/admin/fix-member-invoices': 'owner',
  'POST /api/admin/delete-member-invoices': 'owner',
  'GET /api/admin/document-numbers': 'owner',
  'POST /api/admin/document-numbers/skip': 'owner',
  'GET /api/payment-config': 'visitor',
  'POST /api/create-subscription': 'visitor',
  'GET /api/delayed-subscription': 'visitor',
  'POST /api/create-delayed-subscription': 'visitor',
  'POST /api/create-quotient-payment': 'visitor',
  'POST /api/quotient-payment-state': 'visitor',
  'POST /api/stripe/webhook': 'visitor',
  'GET /api/admin/jobs': 'owner',
  'POST /api/admin/jobs/:name/run': 'owner',
  'POST /api/admin/members/:memberId/sync': 'owner',
  'GET /api/admin/members': 'owner',
  'GET /api/admin/members-at-risk': 'owner',
  'POST /api/admin/members': 'owner',
  'GET /api/admin/member/:memberId': 'owner',
  'POST /api/admin/members/:memberId/refund': 'owner',
  'DELETE /api/admin/members/:memberId': 'owner',
  'PATCH /api/admin/members/:memberId/revoke-access': 'owner',
  'POST /api/admin/owners/link': 'owner',
  'GET /api/admin/sessions': 'owner',
  'POST /api/admin/sessions/revoke': 'owner',
  'POST /api/admin/tokens': 'owner',
  'GET /api/admin/audit': 'owner',
  'POST /api/admin/reactivation-links': 'owner',
  'GET /api/admin/mrr': 'owner',
  'GET /api/admin/today': 'owner',
  'GET /api/admin/quotient-orders': 'owner',
  'PATCH /api/admin/quotient-orders/:id': 'owner',
  'GET /api/admin/membership-applications': 'owner',
  'PATCH /api/admin/membership-applications/:id/status': 'owner',
  'DELETE /api/admin/membership-applications/:id': 'owner',
  'GET /api/admin/coaching-applications': 'owner',
  'PATCH /api/admin/coaching-applications/:id/status': 'owner',
  'GET /api/admin/contacts': 'owner',
  'GET /api/admin/coaching-bookings': 'owner',
  'GET /api/admin/coaching-bookings/upcoming': 'owner',
  'PATCH /api/admin/coaching-bookings/:id/status': 'owner',
  'GET /api/admin/dashboard': 'owner',
  'GET /api/admin/inbox/:kind/:id/notes': 'owner',
  'POST /api/admin/inbox/:kind/:id/notes': 'owner',
  'PATCH /api/admin/inbox/:kind/:id/notes/:noteId': 'owner',
  'POST /api/admin/inbox/:kind/:id/reply': 'owner',
  'POST /api/admin/inbox/:kind/:id/invitation': 'owner',
  'GET /api/invitation': 'visitor',
  'POST /api/admin/impersonate/:memberId': 'owner',
  'POST /api/admin/stop-impersonating': 'owner',
  'GET /api/admin/member-progress/:memberId': 'owner',
  ...memberPage,
  ...secondFactor,
  ...calendar,
  ...telling,
  'GET /api/admin/mail': 'owner',
  'GET /api/admin/mail/:mailId': 'owner',
  'POST /api/admin/mail/:mailId/resend': 'owner',
  'GET /api/admin/revenue-months': 'owner',
  'GET /api/admin/revenue-movements/:month': 'owner',
  'GET /api/admin/mrr-diff': 'owner',
  'GET /api/admin/events': 'owner',
  'GET /api/admin/event-gaps': 'owner',
  'POST /api/admin/events/:id/replay': 'owner',
  ...below('admin', 'owner', 'GET payments, GET payouts, GET payouts/:id, POST mail-test, POST bounces'),
  ...below('admin', 'owner', 'GET subscription-links, POST subscription-links'),
  ...below('admin', 'owner', 'GET suppressed-addresses, POST suppressed-addresses, DELETE suppressed-addresses/:email'),
  'POST /api/admin/commission-statements/:month/mail': 'owner',
  'GET /api/admin/invoice-lint': 'owner',
  'GET /api/admin/vat/:quarter': 'owner',
  'GET /api/admin/exports/accounts.csv': 'owner',
  'GET /api/admin/invoice/:ref': 'owner',
  'GET /api/admin/invoice/:ref/pdf': 'owner',
  'POST /api/admin/invoice/:ref/credit': 'owner',
  'POST /api/admin/reports/:kind': 'owner',
  'POST /api/admin/reports/:kind/done': 'owner',
  'GET /api/admin/member-payments': 'owner',
  'GET /api/admin/inactive-members': 'owner',
  'GET /api/admin/commission-history': 'owner',
  'GET /api/admin/commission-statements/:month': 'owner',
  'GET /api/admin/manual-commissions': 'owner',
  'POST /api/admin/manual-commissions': 'owner',
  'PATCH /api/admin/manual-commissions/:id': 'owner',
  'DELETE /api/admin/manual-commissions/:id': 'owner',
  'PATCH /api/admin/commission-status/:userId': 'owner',
  'DELETE /api/admin/commission-payments/:id': 'owner',
  'GET /api/admin/commission-rates': 'owner',
  'POST /api/admin/commission-rates': 'owner',
  'POST /api/admin/sandbox/advance': 'owner',
  'GET /api/admin/sandbox/chaos': 'owner',
  'POST /api/admin/sandbox/chaos': 'owner',
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

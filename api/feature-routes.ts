const accountFeatures = [
  { paths: ['/api/auth', '/api/logout'], load: async () => (await import('./features/auth/routes.ts')).authRoutes },
  {
    paths: ['/api/auth', '/api/user', '/api/admin/owners', '/api/admin/second-factor'],
    load: async () => (await import('./features/sign-in/routes.ts')).signInRoutes,
  },
  {
    paths: ['/api/user', '/api/mail', '/api/email-change', '/api/photos', '/api/admin/photos'],
    load: async () => (await import('./features/profile/routes.ts')).profileRoutes,
  },
  {
    paths: ['/api/admin/sessions', '/api/admin/tokens', '/api/admin/impersonate', '/api/admin/stop-impersonating'],
    load: async () => (await import('./features/auth/owner-routes.ts')).sessionRoutes,
  },
] as const

const contentFeatures = [
  {
    paths: [
      '/api/site-content',
      '/api/admin/content',
      '/api/admin/content-drafts',
      '/api/admin/mail-words',
      '/api/admin/unfinished',
    ],
    load: async () => (await import('./features/content/routes.ts')).contentRoutes,
  },
  {
    paths: ['/manifest.webmanifest', '/favicon.ico', '/icons', '/social', '/pictures'],
    load: async () => (await import('./features/brand/routes.ts')).brandRoutes,
  },
  { paths: ['/api/blog', '/api/admin/blog'], load: async () => (await import('./features/blog/routes.ts')).blogRoutes },
  { paths: ['/api/admin/podcast'], load: async () => (await import('./features/podcast/routes.ts')).podcastRoutes },
  {
    paths: ['/sitemap.xml', '/rss.xml', '/podcast.xml', '/robots.txt'],
    load: async () => (await import('./features/feeds/routes.ts')).feedRoutes,
  },
  {
    paths: ['/api/member-videos', '/api/admin/videos'],
    load: async () => (await import('./features/videos/routes.ts')).videoRoutes,
  },
  {
    paths: ['/media', '/photographs', '/api/media', '/api/admin/media'],
    load: async () => (await import('./features/media/routes.ts')).mediaRoutes,
  },
  {
    paths: ['/api/calendar', '/api/admin/calendar'],
    load: async () => (await import('./features/calendar/routes.ts')).calendarRoutes,
  },
] as const

const memberFeatures = [
  { paths: ['/api/video-progress'], load: async () => (await import('./features/progress/routes.ts')).progressRoutes },
  {
    paths: ['/api/membership-application'],
    load: async () => (await import('./features/applications/routes.ts')).applicationRoutes,
  },
  {
    paths: ['/api/coaching-application', '/api/coaching-bookings', '/api/contact'],
    load: async () => (await import('./features/enquiries/routes.ts')).enquiryRoutes,
  },
  {
    paths: [
      '/api/admin/inbox',
      '/api/admin/membership-applications',
      '/api/admin/coaching-applications',
      '/api/admin/coaching-bookings',
      '/api/admin/contacts',
    ],
    load: async () => (await import('./features/inbox/routes.ts')).inboxRoutes,
  },
  {
    paths: ['/api/invitation', '/api/admin/invitations'],
    load: async () => (await import('./features/invitations/routes.ts')).invitationRoutes,
  },
  {
    paths: ['/api/admin/members', '/api/admin/member', '/api/admin/members-at-risk'],
    readsOnly: true,
    load: async () => (await import('./features/members/routes.ts')).memberRoutes,
  },
  {
    paths: ['/api/admin/members'],
    readsOnly: false,
    load: async () => (await import('./features/members/membership-routes.ts')).membershipRoutes,
  },
  {
    paths: ['/api/admin/members/*', '/api/admin/member-progress'],
    load: async () => (await import('./features/members/record-routes.ts')).memberRecordRoutes,
  },
  {
    paths: ['/api/announcements', '/api/admin/announcements'],
    load: async () => (await import('./features/announcements/routes.ts')).announcementRoutes,
  },
  {
    paths: ['/api/admin/mailings', '/api/admin/mailing-audience'],
    load: async () => (await import('./features/mailings/routes.ts')).mailingRoutes,
  },
  {
    paths: ['/api/admin/follow-ups'],
    load: async () => (await import('./features/follow-ups/routes.ts')).followUpRoutes,
  },
] as const

const moneyFeatures = [
  {
    paths: ['/api/membership-tiers', '/api/admin/tiers'],
    load: async () => (await import('./features/tiers/routes.ts')).tierRoutes,
  },
  {
    paths: ['/api/billing', '/api/payment-config', '/api/create-subscription', '/api/auth/continue'],
    load: async () => (await import('./features/billing/routes.ts')).billingRoutes,
  },
  {
    paths: ['/api/admin/members/*/subscription', '/api/admin/members/*/free-month'],
    load: async () => (await import('./features/billing/routes.ts')).ownerBillingRoutes,
  },
  {
    paths: ['/api/billing/upgrade', '/api/admin/members/*/upgrade'],
    load: async () => (await import('./features/billing/upgrades/routes.ts')).upgradeRoutes,
  },
  {
    paths: [
      '/api/stripe',
      '/api/admin/members/*/sync',
      '/api/admin/mrr-diff',
      '/api/admin/events',
      '/api/admin/event-gaps',
      '/api/admin/subscription-links',
    ],
    load: async () => (await import('./features/reconcile/routes.ts')).reconcileRoutes,
  },
  {
    paths: [
      '/api/billing',
      '/api/admin/invoices',
      '/api/admin/exports',
      '/api/admin/fix-member-invoices',
      '/api/admin/delete-member-invoices',
      '/api/admin/document-numbers',
    ],
    load: async () => (await import('./features/invoices/routes.ts')).invoiceRoutes,
  },
  {
    paths: ['/api/delayed-subscription', '/api/create-delayed-subscription', '/api/admin/reactivation-links'],
    load: async () => (await import('./features/reactivation/routes.ts')).reactivationRoutes,
  },
  {
    paths: [
      ...['/api/create-quotient-payment', '/api/quotient-payment-state'],
      ...['/api/admin/quotient-orders', '/api/admin/lost-orders'],
    ],
    load: async () => (await import('./features/quotient/routes.ts')).quotientRoutes,
  },
  {
    paths: ['/api/admin/mrr', '/api/admin/revenue-movements', '/api/admin/revenue-months'],
    load: async () => (await import('./features/revenue/routes.ts')).revenueRoutes,
  },
  {
    paths: [
      '/api/admin/member-payments',
      '/api/admin/inactive-members',
      '/api/admin/commission-history',
      '/api/admin/commission-statements',
      '/api/admin/manual-commissions',
      '/api/admin/commission-status',
      '/api/admin/commission-payments',
      '/api/admin/commission-rates',
    ],
    load: async () => (await import('./features/commission/routes.ts')).commissionRoutes,
  },
  {
    paths: [
      '/api/admin/invoice',
      '/api/admin/invoice-lint',
      '/api/admin/vat',
      '/api/admin/exports',
      '/api/admin/payments',
      '/api/admin/payouts',
    ],
    load: async () => (await import('./features/accounting/routes.ts')).accountingRoutes,
  },
  { paths: ['/api/admin/earned'], load: async () => (await import('./features/earned/routes.ts')).earnedRoutes },
] as const

const officeFeatures = [
  { paths: ['/api/health'], load: async () => (await import('./features/health/routes.ts')).healthRoutes },
  {
    paths: ['/api/analytics', '/api/admin/analytics'],
    load: async () => (await import('./features/analytics/routes.ts')).analyticsRoutes,
  },
  {
    paths: ['/api/admin/settings', '/api/admin/setting-groups'],
    load: async () => (await import('./features/settings/routes.ts')).settingRoutes,
  },
  {
    paths: ['/api/admin/setup', '/api/admin/site-copy'],
    load: async () => (await import('./features/setup/routes.ts')).setupRoutes,
  },
  { paths: ['/api/admin/jobs'], load: async () => (await import('./features/jobs/routes.ts')).jobRoutes },
  {
    paths: ['/api/admin/mail', '/api/admin/mail-test', '/api/admin/bounces', '/api/admin/suppressed-addresses'],
    load: async () => (await import('./features/mail/routes.ts')).mailRoutes,
  },
  {
    paths: ['/api/admin/owners', '/api/admin/dashboard', '/api/owner-invitation'],
    load: async () => (await import('./features/owners/routes.ts')).ownerRoutes,
  },
  { paths: ['/api/admin/audit'], load: async () => (await import('./features/audit/routes.ts')).auditRoutes },
  { paths: ['/api/admin/today'], load: async () => (await import('./features/today/routes.ts')).todayRoutes },
  { paths: ['/api/admin/watching'], load: async () => (await import('./features/watching/routes.ts')).watchingRoutes },
  { paths: ['/api/admin/reports'], load: async () => (await import('./features/report/routes.ts')).reportRoutes },
  {
    paths: ['/api/admin/sandbox'],
    load: async () => (await import('./features/sandbox/routes.ts')).sandboxControlRoutes,
  },
] as const

/**
 * Every feature's routes and the paths below which they lie. `*` is any one segment. `readsOnly` separates GET and HEAD from
 * requests that change something. `app.ts` adds the sandbox's pages and the API docs. A feature is loaded on first use, or a
 * short command would spend most of its time loading.
 */
export const features = [
  ...accountFeatures,
  ...contentFeatures,
  ...memberFeatures,
  ...moneyFeatures,
  ...officeFeatures,
] as const

export type Feature = (typeof features)[number]

export type Routes = Awaited<ReturnType<Feature['load']>>

export const loadRoutes = (chosen: readonly Feature[] = features): Promise<Routes[]> =>
  Promise.all(chosen.map(({ load }) => load()))

const listed = features.map((feature) => ({ feature, prefixes: feature.paths.map((path) => path.split('/')) }))

export function featuresFor({ method, path }: { method: string; path: string }): Feature[] {
  const parts = path.split('/')
  const isAt = (part: string, at: number) => (part === '*' ? at < parts.length : part === parts[at])
  const isRead = method === 'GET' || method === 'HEAD'
  return listed
    .filter(({ prefixes }) => prefixes.some((prefix) => prefix.every(isAt)))
    .map(({ feature }) => feature)
    .filter((feature) => !('readsOnly' in feature) || feature.readsOnly === isRead)
}

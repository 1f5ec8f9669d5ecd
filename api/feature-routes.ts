/** Who one is, and how one shows it. */
const accountFeatures = [
  { of: ['/api/auth', '/api/logout'], load: async () => (await import('./features/auth/routes.ts')).authRoutes },
  {
    of: ['/api/auth', '/api/user', '/api/admin/owners', '/api/admin/second-factor'],
    load: async () => (await import('./features/sign-in/routes.ts')).signInRoutes,
  },
  {
    of: ['/api/user', '/api/mail', '/api/email-change', '/api/photos', '/api/admin/photos'],
    load: async () => (await import('./features/profile/routes.ts')).profileRoutes,
  },
  {
    of: ['/api/admin/sessions', '/api/admin/tokens', '/api/admin/impersonate', '/api/admin/stop-impersonating'],
    load: async () => (await import('./features/auth/owner-routes.ts')).sessionRoutes,
  },
] as const

/** What visitors and members read, watch and book. */
const contentFeatures = [
  {
    of: [
      '/api/site-content',
      '/api/admin/content',
      '/api/admin/content-drafts',
      '/api/admin/mail-words',
      '/api/admin/unfinished',
    ],
    load: async () => (await import('./features/content/routes.ts')).contentRoutes,
  },
  {
    of: ['/manifest.webmanifest', '/favicon.ico', '/icons', '/social', '/pictures'],
    load: async () => (await import('./features/brand/routes.ts')).brandRoutes,
  },
  { of: ['/api/blog', '/api/admin/blog'], load: async () => (await import('./features/blog/routes.ts')).blogRoutes },
  { of: ['/api/admin/podcast'], load: async () => (await import('./features/podcast/routes.ts')).podcastRoutes },
  {
    of: ['/sitemap.xml', '/rss.xml', '/podcast.xml', '/robots.txt'],
    load: async () => (await import('./features/feeds/routes.ts')).feedRoutes,
  },
  {
    of: ['/api/member-videos', '/api/admin/videos'],
    load: async () => (await import('./features/videos/routes.ts')).videoRoutes,
  },
  {
    of: ['/media', '/photographs', '/api/media', '/api/admin/media', '/api/admin/videos/*'],
    load: async () => (await import('./features/media/routes.ts')).mediaRoutes,
  },
  {
    of: ['/api/calendar', '/api/admin/calendar'],
    load: async () => (await import('./features/calendar/routes.ts')).calendarRoutes,
  },
] as const

/** Who asks to come, who is a member, and what owners tell them. */
const memberFeatures = [
  { of: ['/api/video-progress'], load: async () => (await import('./features/progress/routes.ts')).progressRoutes },
  {
    of: ['/api/membership-application'],
    load: async () => (await import('./features/applications/routes.ts')).applicationRoutes,
  },
  {
    of: ['/api/coaching-application', '/api/coaching-bookings', '/api/contact'],
    load: async () => (await import('./features/enquiries/routes.ts')).enquiryRoutes,
  },
  {
    of: [
      '/api/invitation',
      '/api/admin/inbox',
      '/api/admin/membership-applications',
      '/api/admin/coaching-applications',
      '/api/admin/coaching-bookings',
      '/api/admin/contacts',
    ],
    load: async () => (await import('./features/inbox/routes.ts')).inboxRoutes,
  },
  {
    of: ['/api/admin/members', '/api/admin/member', '/api/admin/members-at-risk'],
    isRead: true,
    load: async () => (await import('./features/members/routes.ts')).memberRoutes,
  },
  {
    of: ['/api/admin/members'],
    isRead: false,
    load: async () => (await import('./features/members/membership-routes.ts')).membershipRoutes,
  },
  {
    of: ['/api/admin/members/*', '/api/admin/member-progress'],
    load: async () => (await import('./features/members/record-routes.ts')).memberRecordRoutes,
  },
  {
    of: ['/api/announcements', '/api/admin/announcements'],
    load: async () => (await import('./features/announcements/routes.ts')).announcementRoutes,
  },
  {
    of: ['/api/admin/mailings', '/api/admin/mailing-audience'],
    load: async () => (await import('./features/mailings/routes.ts')).mailingRoutes,
  },
  { of: ['/api/admin/follow-ups'], load: async () => (await import('./features/follow-ups/routes.ts')).followUpRoutes },
] as const

/** What is sold, paid, invoiced and owed. */
const moneyFeatures = [
  {
    of: ['/api/membership-tiers', '/api/admin/tiers'],
    load: async () => (await import('./features/tiers/routes.ts')).tierRoutes,
  },
  {
    of: ['/api/billing', '/api/payment-config', '/api/create-subscription', '/api/auth/continue'],
    load: async () => (await import('./features/billing/routes.ts')).billingRoutes,
  },
  {
    of: ['/api/admin/members/*/subscription', '/api/admin/members/*/free-month'],
    load: async () => (await import('./features/billing/routes.ts')).ownerBillingRoutes,
  },
  {
    of: ['/api/billing/upgrade', '/api/admin/members/*/upgrade'],
    load: async () => (await import('./features/billing/upgrades/routes.ts')).upgradeRoutes,
  },
  {
    of: [
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
    of: [
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
    of: ['/api/delayed-subscription', '/api/create-delayed-subscription', '/api/admin/reactivation-links'],
    load: async () => (await import('./features/reactivation/routes.ts')).reactivationRoutes,
  },
  {
    of: ['/api/create-quotient-payment', '/api/quotient-payment-state', '/api/admin/quotient-orders'],
    load: async () => (await import('./features/quotient/routes.ts')).quotientRoutes,
  },
  {
    of: ['/api/admin/mrr', '/api/admin/revenue-movements', '/api/admin/revenue-months'],
    load: async () => (await import('./features/revenue/routes.ts')).revenueRoutes,
  },
  {
    of: [
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
    of: [
      '/api/admin/invoice',
      '/api/admin/invoice-lint',
      '/api/admin/vat',
      '/api/admin/exports',
      '/api/admin/payments',
      '/api/admin/payouts',
    ],
    load: async () => (await import('./features/books/routes.ts')).bookRoutes,
  },
] as const

/** How the site itself does, and what keeps it going. */
const officeFeatures = [
  { of: ['/api/health'], load: async () => (await import('./features/health/routes.ts')).healthRoutes },
  {
    of: ['/api/analytics', '/api/admin/analytics'],
    load: async () => (await import('./features/analytics/routes.ts')).analyticsRoutes,
  },
  { of: ['/api/admin/settings'], load: async () => (await import('./features/settings/routes.ts')).settingRoutes },
  {
    of: ['/api/admin/setup', '/api/admin/site-copy'],
    load: async () => (await import('./features/setup/routes.ts')).setupRoutes,
  },
  { of: ['/api/admin/jobs'], load: async () => (await import('./features/jobs/routes.ts')).jobRoutes },
  {
    of: ['/api/admin/mail', '/api/admin/mail-test', '/api/admin/bounces', '/api/admin/suppressed-addresses'],
    load: async () => (await import('./features/mail/routes.ts')).mailRoutes,
  },
  {
    of: ['/api/admin/owners', '/api/admin/dashboard'],
    load: async () => (await import('./features/owners/routes.ts')).ownerRoutes,
  },
  { of: ['/api/admin/audit'], load: async () => (await import('./features/audit/routes.ts')).auditRoutes },
  { of: ['/api/admin/today'], load: async () => (await import('./features/today/routes.ts')).todayRoutes },
  { of: ['/api/admin/watching'], load: async () => (await import('./features/watching/routes.ts')).watchingRoutes },
  { of: ['/api/admin/reports'], load: async () => (await import('./features/report/routes.ts')).reportRoutes },
  { of: ['/api/admin/sandbox'], load: async () => (await import('./features/sandbox/routes.ts')).sandboxControlRoutes },
] as const

/**
 * Every feature's routes, with the paths that they are below: `*` is any part, and `isRead` says that all of them read, or none.
 * They are loaded where they are needed: a short command would spend most of its time on what it does not ask for.
 */
export const features = [
  ...accountFeatures,
  ...contentFeatures,
  ...memberFeatures,
  ...moneyFeatures,
  ...officeFeatures,
] as const

export type Feature = (typeof features)[number]

/** What puts a feature's routes together, once it is loaded. */
export type Routes = Awaited<ReturnType<Feature['load']>>

export const loadRoutes = (some: readonly Feature[] = features): Promise<Routes[]> =>
  Promise.all(some.map(({ load }) => load()))

/** The features that a request may be for. */
export function featuresFor({ method, path }: { method: string; path: string }): Feature[] {
  const parts = path.split('/')
  const isAt = (part: string, at: number) => (part === '*' ? at < parts.length : part === parts[at])
  const isAbove = (prefix: string) => prefix.split('/').every(isAt)
  const isRead = method === 'GET'
  return features.filter((feature) => feature.of.some(isAbove) && (!('isRead' in feature) || feature.isRead === isRead))
}

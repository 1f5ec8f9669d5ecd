/**
 * Every feature’s routes. `app.ts` adds the sandbox’s pages and the API docs. A feature is loaded on first use, or a short command
 * would spend most of its time loading. The build lists their paths in `feature-paths.gen.ts`.
 */
export const features = {
  auth: async () => (await import('./features/auth/routes.ts')).authRoutes,
  signIn: async () => (await import('./features/sign-in/routes.ts')).signInRoutes,
  profile: async () => (await import('./features/profile/routes.ts')).profileRoutes,
  session: async () => (await import('./features/auth/owner-routes.ts')).sessionRoutes,
  content: async () => (await import('./features/content/routes.ts')).contentRoutes,
  brand: async () => (await import('./features/brand/routes.ts')).brandRoutes,
  blog: async () => (await import('./features/blog/routes.ts')).blogRoutes,
  podcast: async () => (await import('./features/podcast/routes.ts')).podcastRoutes,
  feed: async () => (await import('./features/feeds/routes.ts')).feedRoutes,
  video: async () => (await import('./features/videos/routes.ts')).videoRoutes,
  media: async () => (await import('./features/media/routes.ts')).mediaRoutes,
  calendar: async () => (await import('./features/calendar/routes.ts')).calendarRoutes,
  shelf: async () => (await import('./features/shelf/routes.ts')).shelfRoutes,
  progress: async () => (await import('./features/progress/routes.ts')).progressRoutes,
  application: async () => (await import('./features/applications/routes.ts')).applicationRoutes,
  enquiry: async () => (await import('./features/enquiries/routes.ts')).enquiryRoutes,
  inbox: async () => (await import('./features/inbox/routes.ts')).inboxRoutes,
  import: async () => (await import('./features/imports/routes.ts')).importRoutes,
  invitation: async () => (await import('./features/invitations/routes.ts')).invitationRoutes,
  member: async () => (await import('./features/members/routes.ts')).memberRoutes,
  membership: async () => (await import('./features/members/membership-routes.ts')).membershipRoutes,
  memberRecord: async () => (await import('./features/members/record-routes.ts')).memberRecordRoutes,
  announcement: async () => (await import('./features/announcements/routes.ts')).announcementRoutes,
  mailing: async () => (await import('./features/mailings/routes.ts')).mailingRoutes,
  followUp: async () => (await import('./features/follow-ups/routes.ts')).followUpRoutes,
  tier: async () => (await import('./features/tiers/routes.ts')).tierRoutes,
  billing: async () => (await import('./features/billing/routes.ts')).billingRoutes,
  ownerBilling: async () => (await import('./features/billing/routes.ts')).ownerBillingRoutes,
  upgrade: async () => (await import('./features/billing/upgrades/routes.ts')).upgradeRoutes,
  reconcile: async () => (await import('./features/reconcile/routes.ts')).reconcileRoutes,
  invoice: async () => (await import('./features/invoices/routes.ts')).invoiceRoutes,
  reactivation: async () => (await import('./features/reactivation/routes.ts')).reactivationRoutes,
  quotient: async () => (await import('./features/quotient/routes.ts')).quotientRoutes,
  revenue: async () => (await import('./features/revenue/routes.ts')).revenueRoutes,
  commission: async () => (await import('./features/commission/routes.ts')).commissionRoutes,
  accounting: async () => (await import('./features/accounting/routes.ts')).accountingRoutes,
  earned: async () => (await import('./features/earned/routes.ts')).earnedRoutes,
  health: async () => (await import('./features/health/routes.ts')).healthRoutes,
  analytics: async () => (await import('./features/analytics/routes.ts')).analyticsRoutes,
  setting: async () => (await import('./features/settings/routes.ts')).settingRoutes,
  moveOut: async () => (await import('./features/move-out/routes.ts')).moveOutRoutes,
  setup: async () => (await import('./features/setup/routes.ts')).setupRoutes,
  job: async () => (await import('./features/jobs/routes.ts')).jobRoutes,
  mail: async () => (await import('./features/mail/routes.ts')).mailRoutes,
  owner: async () => (await import('./features/owners/routes.ts')).ownerRoutes,
  audit: async () => (await import('./features/audit/routes.ts')).auditRoutes,
  today: async () => (await import('./features/today/routes.ts')).todayRoutes,
  watching: async () => (await import('./features/watching/routes.ts')).watchingRoutes,
  report: async () => (await import('./features/report/routes.ts')).reportRoutes,
  sandboxControl: async () => (await import('./features/sandbox/routes.ts')).sandboxControlRoutes,
}

export type Feature = keyof typeof features

export type Routes = Awaited<ReturnType<(typeof features)[Feature]>>

export function loadRoutes(chosen: readonly Feature[] | 'all' = 'all'): Promise<Routes[]> {
  const loads = chosen === 'all' ? Object.values(features) : chosen.map((name) => features[name])
  return Promise.all(loads.map((load) => load()))
}

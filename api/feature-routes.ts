import type { Context } from './context.ts'
import { accountingRoutes } from './features/accounting/routes.ts'
import { analyticsRoutes } from './features/analytics/routes.ts'
import { announcementRoutes } from './features/announcements/routes.ts'
import { applicationRoutes } from './features/applications/routes.ts'
import { auditRoutes } from './features/audit/routes.ts'
import { sessionRoutes } from './features/auth/owner-routes.ts'
import { authRoutes } from './features/auth/routes.ts'
import { billingRoutes, ownerBillingRoutes } from './features/billing/routes.ts'
import { upgradeRoutes } from './features/billing/upgrades/routes.ts'
import { blogRoutes } from './features/blog/routes.ts'
import { brandRoutes } from './features/brand/routes.ts'
import { calendarRoutes } from './features/calendar/routes.ts'
import { commissionRoutes } from './features/commission/routes.ts'
import { contentRoutes } from './features/content/routes.ts'
import { earnedRoutes } from './features/earned/routes.ts'
import { enquiryRoutes } from './features/enquiries/routes.ts'
import { feedRoutes } from './features/feeds/routes.ts'
import { followUpRoutes } from './features/follow-ups/routes.ts'
import { healthRoutes } from './features/health/routes.ts'
import { importRoutes } from './features/imports/routes.ts'
import { inboxRoutes } from './features/inbox/routes.ts'
import { invitationRoutes } from './features/invitations/routes.ts'
import { invoiceRoutes } from './features/invoices/routes.ts'
import { jobRoutes } from './features/jobs/routes.ts'
import { mailRoutes } from './features/mail/routes.ts'
import { mailingRoutes } from './features/mailings/routes.ts'
import { mediaRoutes } from './features/media/routes.ts'
import { membershipRoutes } from './features/members/membership-routes.ts'
import { memberRecordRoutes } from './features/members/record-routes.ts'
import { memberRoutes } from './features/members/routes.ts'
import { moveOutRoutes } from './features/move-out/routes.ts'
import { ownerRoutes } from './features/owners/routes.ts'
import { podcastRoutes } from './features/podcast/routes.ts'
import { profileRoutes } from './features/profile/routes.ts'
import { progressRoutes } from './features/progress/routes.ts'
import { quotientRoutes } from './features/quotient/routes.ts'
import { reactivationRoutes } from './features/reactivation/routes.ts'
import { reconcileRoutes } from './features/reconcile/routes.ts'
import { reportRoutes } from './features/report/routes.ts'
import { revenueRoutes } from './features/revenue/routes.ts'
import { sandboxControlRoutes } from './features/sandbox/routes.ts'
import { settingRoutes } from './features/settings/routes.ts'
import { setupRoutes } from './features/setup/routes.ts'
import { shelfRoutes } from './features/shelf/routes.ts'
import { signInRoutes } from './features/sign-in/routes.ts'
import { tierRoutes } from './features/tiers/routes.ts'
import { todayRoutes } from './features/today/routes.ts'
import { videoRoutes } from './features/videos/routes.ts'
import { watchingRoutes } from './features/watching/routes.ts'
import type { Site } from './http/page-cache.ts'
import { createFeedSource } from './page-source.ts'

/** Every feature’s routes. `app.ts` adds the sandbox’s pages and the API docs. */
export const featureRoutes = [
  authRoutes,
  signInRoutes,
  profileRoutes,
  sessionRoutes,
  contentRoutes,
  brandRoutes,
  blogRoutes,
  podcastRoutes,
  (ctx: Context, site?: Site) => feedRoutes(ctx, createFeedSource(ctx, site)),
  videoRoutes,
  mediaRoutes,
  calendarRoutes,
  shelfRoutes,
  progressRoutes,
  applicationRoutes,
  enquiryRoutes,
  inboxRoutes,
  importRoutes,
  invitationRoutes,
  memberRoutes,
  membershipRoutes,
  memberRecordRoutes,
  announcementRoutes,
  mailingRoutes,
  followUpRoutes,
  tierRoutes,
  billingRoutes,
  ownerBillingRoutes,
  upgradeRoutes,
  reconcileRoutes,
  invoiceRoutes,
  reactivationRoutes,
  quotientRoutes,
  revenueRoutes,
  commissionRoutes,
  accountingRoutes,
  earnedRoutes,
  healthRoutes,
  analyticsRoutes,
  settingRoutes,
  moveOutRoutes,
  setupRoutes,
  jobRoutes,
  mailRoutes,
  ownerRoutes,
  auditRoutes,
  todayRoutes,
  watchingRoutes,
  reportRoutes,
  sandboxControlRoutes,
] as const

export type Routes = (typeof featureRoutes)[number]

import type { Context } from './context.ts'
import { invoiceRoutes } from './features/accounting/invoice-routes.ts'
import { accountingRoutes } from './features/accounting/routes.ts'
import { sessionRoutes } from './features/accounts/login/owner-routes.ts'
import { authRoutes } from './features/accounts/login-routes.ts'
import { ownerRoutes } from './features/accounts/owners/routes.ts'
import { signInRoutes } from './features/accounts/sign-in/routes.ts'
import { billingRoutes, ownerBillingRoutes } from './features/billing/routes.ts'
import { upgradeRoutes } from './features/billing/upgrades/routes.ts'
import { calendarRoutes } from './features/calendar/routes.ts'
import { commitmentRoutes } from './features/commitments/routes.ts'
import { commissionRoutes } from './features/earnings/commission/routes.ts'
import { earnedRoutes } from './features/earnings/earned/routes.ts'
import { revenueRoutes } from './features/earnings/revenue-routes.ts'
import { importRoutes } from './features/imports/routes.ts'
import { applicationRoutes } from './features/inbox/applications/routes.ts'
import { enquiryRoutes } from './features/inbox/enquiries/routes.ts'
import { inboxRoutes } from './features/inbox/routes.ts'
import { invitationRoutes } from './features/invitations/routes.ts'
import { mailRoutes } from './features/mail/routes.ts'
import { mediaRoutes } from './features/media/routes.ts'
import { membershipRoutes } from './features/members/membership-routes.ts'
import { memberRecordRoutes } from './features/members/record-routes.ts'
import { memberRoutes } from './features/members/routes.ts'
import { moveOutRoutes } from './features/move-out/routes.ts'
import { noticeRoutes } from './features/notices/routes.ts'
import { auditRoutes } from './features/operations/audit/routes.ts'
import { healthRoutes } from './features/operations/health/routes.ts'
import { jobRoutes } from './features/operations/jobs/routes.ts'
import { reportRoutes } from './features/operations/report/routes.ts'
import { setupRoutes } from './features/operations/setup/routes.ts'
import { todayRoutes } from './features/operations/today/routes.ts'
import { announcementRoutes } from './features/outreach/announcements/routes.ts'
import { followUpRoutes } from './features/outreach/follow-ups/routes.ts'
import { mailingRoutes } from './features/outreach/mailings/routes.ts'
import { profileRoutes } from './features/profile/routes.ts'
import { ownerQuestionRoutes, publishedQuestionRoutes } from './features/questions/owner-routes.ts'
import { questionRoutes } from './features/questions/routes.ts'
import { quotientRoutes } from './features/quotient/routes.ts'
import { reactivationRoutes } from './features/reactivation/routes.ts'
import { reconcileRoutes } from './features/reconcile/routes.ts'
import { sandboxControlRoutes } from './features/sandbox/routes.ts'
import { analyticsRoutes } from './features/site/analytics/routes.ts'
import { blogRoutes } from './features/site/blog/routes.ts'
import { brandRoutes } from './features/site/brand/routes.ts'
import { contentRoutes } from './features/site/content/routes.ts'
import { feedRoutes } from './features/site/feeds/routes.ts'
import { podcastRoutes } from './features/site/podcast/routes.ts'
import { settingRoutes } from './features/site/settings/routes.ts'
import { tierRoutes } from './features/tiers/routes.ts'
import { engagementRoutes } from './features/videos/engagement/routes.ts'
import { progressRoutes } from './features/videos/progress/routes.ts'
import { videoRoutes } from './features/videos/routes.ts'
import { shelfRoutes } from './features/videos/shelf/routes.ts'
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
  questionRoutes,
  noticeRoutes,
  commitmentRoutes,
  applicationRoutes,
  enquiryRoutes,
  inboxRoutes,
  ownerQuestionRoutes,
  publishedQuestionRoutes,
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
  engagementRoutes,
  reportRoutes,
  sandboxControlRoutes,
] as const

export type Routes = (typeof featureRoutes)[number]

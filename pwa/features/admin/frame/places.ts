import { type ComponentType, lazy } from 'react'

/** The headings of the places beyond the seven tabs, in order. */
export const placeGroups = ['Overview', 'People', 'Money', 'Site', 'Marketing', 'System'] as const
type PlaceGroup = (typeof placeGroups)[number]

/** `group`: its heading, for a place beyond the seven tabs. `also`: extra words the menu finds it by. */
type Place = { label: string; Section: ComponentType; group?: PlaceGroup; also?: string }

/** In tab order. The first is `/admin` itself, the others `/admin/<place>`. */
export const places: Record<string, Place> = {
  members: { label: 'Active', Section: lazy(() => import('#pwa/features/admin/members/members.tsx')) },
  inactive: { label: 'Inactive', Section: lazy(() => import('#pwa/features/admin/members/inactive.tsx')) },
  payments: { label: 'Payments', Section: lazy(() => import('#pwa/features/admin/money/payments/payments.tsx')) },
  videos: { label: 'Videos', Section: lazy(() => import('#pwa/features/admin/videos/videos.tsx')) },
  applications: {
    label: 'Applications',
    Section: lazy(() => import('#pwa/features/admin/inbox/applications.tsx')),
  },
  blog: { label: 'Blog', Section: lazy(() => import('#pwa/features/admin/site/blog/blog.tsx')) },
  analytics: {
    label: 'Analytics',
    Section: lazy(() => import('#pwa/features/admin/site/analytics/analytics.tsx')),
  },
  today: {
    label: 'Today',
    Section: lazy(() => import('#pwa/features/admin/today/today.tsx')),
    group: 'Overview',
  },
  watching: {
    label: 'Engagement',
    also: 'watching retention visits',
    Section: lazy(() => import('#pwa/features/admin/videos/engagement/engagement.tsx')),
    group: 'Overview',
  },
  'at-risk': {
    label: 'At risk',
    Section: lazy(() => import('#pwa/features/admin/videos/engagement/at-risk.tsx')),
    group: 'Overview',
  },
  coaching: {
    label: 'Coaching',
    Section: lazy(() => import('#pwa/features/admin/inbox/coaching.tsx')),
    group: 'People',
  },
  contacts: {
    label: 'Messages',
    Section: lazy(() => import('#pwa/features/admin/inbox/contacts.tsx')),
    group: 'People',
  },
  bookings: {
    label: 'Bookings',
    Section: lazy(() => import('#pwa/features/admin/inbox/bookings.tsx')),
    group: 'People',
  },
  calendar: {
    label: 'Calendar',
    Section: lazy(() => import('#pwa/features/admin/calendar/calendar.tsx')),
    group: 'People',
  },
  podcast: {
    label: 'Podcast',
    Section: lazy(() => import('#pwa/features/admin/site/podcast/podcast.tsx')),
    group: 'Site',
  },
  announcements: {
    label: 'Announcements',
    also: 'marketing telling',
    Section: lazy(() => import('#pwa/features/admin/marketing/announcements.tsx')),
    group: 'Marketing',
  },
  mailings: {
    label: 'Campaigns',
    also: 'mailings newsletter marketing telling',
    Section: lazy(() => import('#pwa/features/admin/marketing/mailings.tsx')),
    group: 'Marketing',
  },
  'follow-ups': {
    label: 'Automatic emails',
    also: 'follow-ups marketing telling',
    Section: lazy(() => import('#pwa/features/admin/marketing/follow-ups.tsx')),
    group: 'Marketing',
  },
  orders: {
    label: 'Orders',
    Section: lazy(() => import('#pwa/features/admin/inbox/orders.tsx')),
    group: 'People',
  },
  media: {
    label: 'Media',
    Section: lazy(() => import('#pwa/features/admin/site/media/media.tsx')),
    group: 'Site',
  },
  revenue: {
    label: 'Revenue',
    also: 'MRR churn',
    Section: lazy(() => import('#pwa/features/admin/money/revenue/revenue.tsx')),
    group: 'Money',
  },
  invoices: {
    label: 'Invoices',
    Section: lazy(() => import('#pwa/features/admin/money/invoices/invoices.tsx')),
    group: 'Money',
  },
  statements: {
    label: 'Statements',
    also: 'commission',
    Section: lazy(() => import('#pwa/features/admin/money/payments/statement.tsx')),
    group: 'Money',
  },
  rates: {
    label: 'Commission rates',
    Section: lazy(() => import('#pwa/features/admin/money/payments/rates.tsx')),
    group: 'Money',
  },
  tiers: {
    label: 'Tiers',
    Section: lazy(() => import('#pwa/features/admin/money/tiers/tiers.tsx')),
    group: 'Money',
  },
  words: {
    label: 'Content',
    also: 'words texts pages',
    Section: lazy(() => import('#pwa/features/admin/site/content/content.tsx')),
    group: 'Site',
  },
  settings: {
    label: 'Settings',
    Section: lazy(() => import('#pwa/features/admin/settings/settings.tsx')),
    group: 'System',
  },
  audit: {
    label: 'Audit log',
    Section: lazy(() => import('#pwa/features/admin/settings/audit.tsx')),
    group: 'System',
  },
  mail: {
    label: 'Email',
    Section: lazy(() => import('#pwa/features/admin/settings/system/mail.tsx')),
    group: 'Marketing',
  },
  jobs: {
    label: 'Jobs',
    also: 'sync with Stripe, backup',
    Section: lazy(() => import('#pwa/features/admin/settings/system/jobs.tsx')),
    group: 'System',
  },
}

export const firstPlace = 'members'

export const menuPlaces = Object.entries(places).map(([name, { label, also }]) => ({ name, label, also }))

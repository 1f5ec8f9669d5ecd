import { type ComponentType, lazy } from 'react'

/** The headings of the places beyond the seven tabs, in order. */
export const placeGroups = ['Overview', 'People', 'Money', 'Site', 'Marketing', 'System'] as const
type PlaceGroup = (typeof placeGroups)[number]

/** `group`: its heading, for a place beyond the seven tabs. `also`: extra words the menu finds it by. */
type Place = { label: string; Section: ComponentType; group?: PlaceGroup; also?: string }

/** In tab order. The first is `/admin` itself, the others `/admin/<place>`. */
export const places: Record<string, Place> = {
  members: { label: 'Active', Section: lazy(() => import('#pwa/features/admin/members/members-section.tsx')) },
  inactive: { label: 'Inactive', Section: lazy(() => import('#pwa/features/admin/members/inactive-section.tsx')) },
  payments: { label: 'Payments', Section: lazy(() => import('#pwa/features/admin/payments/payments-section.tsx')) },
  videos: { label: 'Videos', Section: lazy(() => import('#pwa/features/admin/videos/videos-section.tsx')) },
  applications: {
    label: 'Applications',
    Section: lazy(() => import('#pwa/features/admin/inbox/applications-section.tsx')),
  },
  blog: { label: 'Blog', Section: lazy(() => import('#pwa/features/admin/blog/blog-section.tsx')) },
  analytics: {
    label: 'Analytics',
    Section: lazy(() => import('#pwa/features/admin/analytics/analytics-section.tsx')),
  },
  today: {
    label: 'Today',
    Section: lazy(() => import('#pwa/features/admin/today/today-section.tsx')),
    group: 'Overview',
  },
  watching: {
    label: 'Engagement',
    also: 'watching retention visits',
    Section: lazy(() => import('#pwa/features/admin/watching/watching-section.tsx')),
    group: 'Overview',
  },
  'at-risk': {
    label: 'At risk',
    Section: lazy(() => import('#pwa/features/admin/watching/at-risk-section.tsx')),
    group: 'Overview',
  },
  coaching: {
    label: 'Coaching',
    Section: lazy(() => import('#pwa/features/admin/inbox/coaching-section.tsx')),
    group: 'People',
  },
  contacts: {
    label: 'Messages',
    Section: lazy(() => import('#pwa/features/admin/inbox/contacts-section.tsx')),
    group: 'People',
  },
  bookings: {
    label: 'Bookings',
    Section: lazy(() => import('#pwa/features/admin/inbox/bookings-section.tsx')),
    group: 'People',
  },
  calendar: {
    label: 'Calendar',
    Section: lazy(() => import('#pwa/features/admin/calendar/calendar-section.tsx')),
    group: 'People',
  },
  podcast: {
    label: 'Podcast',
    Section: lazy(() => import('#pwa/features/admin/podcast/podcast-section.tsx')),
    group: 'Site',
  },
  announcements: {
    label: 'Announcements',
    also: 'marketing telling',
    Section: lazy(() => import('#pwa/features/admin/telling/announcements-section.tsx')),
    group: 'Marketing',
  },
  mailings: {
    label: 'Campaigns',
    also: 'mailings newsletter marketing telling',
    Section: lazy(() => import('#pwa/features/admin/telling/mailings-section.tsx')),
    group: 'Marketing',
  },
  'follow-ups': {
    label: 'Automatic emails',
    also: 'follow-ups marketing telling',
    Section: lazy(() => import('#pwa/features/admin/telling/follow-ups-section.tsx')),
    group: 'Marketing',
  },
  orders: {
    label: 'Orders',
    Section: lazy(() => import('#pwa/features/admin/inbox/orders-section.tsx')),
    group: 'People',
  },
  media: {
    label: 'Media',
    Section: lazy(() => import('#pwa/features/admin/media/media-section.tsx')),
    group: 'Site',
  },
  revenue: {
    label: 'Revenue',
    also: 'MRR churn',
    Section: lazy(() => import('#pwa/features/admin/revenue/revenue-section.tsx')),
    group: 'Money',
  },
  invoices: {
    label: 'Invoices',
    Section: lazy(() => import('#pwa/features/admin/invoices/invoices-section.tsx')),
    group: 'Money',
  },
  statements: {
    label: 'Statements',
    also: 'commission',
    Section: lazy(() => import('#pwa/features/admin/payments/statement-section.tsx')),
    group: 'Money',
  },
  rates: {
    label: 'Commission rates',
    Section: lazy(() => import('#pwa/features/admin/payments/rates-section.tsx')),
    group: 'Money',
  },
  tiers: {
    label: 'Tiers',
    Section: lazy(() => import('#pwa/features/admin/tiers/tiers-section.tsx')),
    group: 'Money',
  },
  words: {
    label: 'Content',
    also: 'words texts pages',
    Section: lazy(() => import('#pwa/features/admin/content/content-section.tsx')),
    group: 'Site',
  },
  settings: {
    label: 'Settings',
    Section: lazy(() => import('#pwa/features/admin/settings/settings-section.tsx')),
    group: 'System',
  },
  audit: {
    label: 'Audit log',
    Section: lazy(() => import('#pwa/features/admin/settings/audit-section.tsx')),
    group: 'System',
  },
  mail: {
    label: 'Email',
    Section: lazy(() => import('#pwa/features/admin/system/mail-section.tsx')),
    group: 'Marketing',
  },
  jobs: {
    label: 'Jobs',
    also: 'sync with Stripe, backup',
    Section: lazy(() => import('#pwa/features/admin/system/jobs-section.tsx')),
    group: 'System',
  },
}

export const firstPlace = 'members'

export const menuPlaces = Object.entries(places).map(([name, { label, also }]) => ({ name, label, also }))

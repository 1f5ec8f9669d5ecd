import { type ComponentType, lazy } from 'react'

/** `isMore`: beside the seven tabs, in a row of its own. */
type Place = { label: string; Section: ComponentType; isMore?: boolean }

/** The tabs in their order; the first is `/admin` itself, the others `/admin/<place>`. Each is loaded when it is opened. */
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
  today: { label: 'Today', Section: lazy(() => import('#pwa/features/admin/today/today-section.tsx')), isMore: true },
  watching: {
    label: 'Watching',
    Section: lazy(() => import('#pwa/features/admin/watching/watching-section.tsx')),
    isMore: true,
  },
  'at-risk': {
    label: 'At risk',
    Section: lazy(() => import('#pwa/features/admin/watching/at-risk-section.tsx')),
    isMore: true,
  },
  coaching: {
    label: 'Coaching',
    Section: lazy(() => import('#pwa/features/admin/inbox/coaching-section.tsx')),
    isMore: true,
  },
  contacts: {
    label: 'Messages',
    Section: lazy(() => import('#pwa/features/admin/inbox/contacts-section.tsx')),
    isMore: true,
  },
  bookings: {
    label: 'Bookings',
    Section: lazy(() => import('#pwa/features/admin/inbox/bookings-section.tsx')),
    isMore: true,
  },
  calendar: {
    label: 'Calendar',
    Section: lazy(() => import('#pwa/features/admin/calendar/calendar-section.tsx')),
    isMore: true,
  },
  podcast: {
    label: 'Podcast',
    Section: lazy(() => import('#pwa/features/admin/podcast/podcast-section.tsx')),
    isMore: true,
  },
  announcements: {
    label: 'Announcements',
    Section: lazy(() => import('#pwa/features/admin/telling/announcements-section.tsx')),
    isMore: true,
  },
  mailings: {
    label: 'Mailings',
    Section: lazy(() => import('#pwa/features/admin/telling/mailings-section.tsx')),
    isMore: true,
  },
  'follow-ups': {
    label: 'Follow-ups',
    Section: lazy(() => import('#pwa/features/admin/telling/follow-ups-section.tsx')),
    isMore: true,
  },
  orders: {
    label: 'Orders',
    Section: lazy(() => import('#pwa/features/admin/inbox/orders-section.tsx')),
    isMore: true,
  },
  media: {
    label: 'Media',
    Section: lazy(() => import('#pwa/features/admin/media/media-section.tsx')),
    isMore: true,
  },
  revenue: {
    label: 'Revenue',
    Section: lazy(() => import('#pwa/features/admin/revenue/revenue-section.tsx')),
    isMore: true,
  },
  invoices: {
    label: 'Invoices',
    Section: lazy(() => import('#pwa/features/admin/invoices/invoices-section.tsx')),
    isMore: true,
  },
  statements: {
    label: 'Statements',
    Section: lazy(() => import('#pwa/features/admin/payments/statement-section.tsx')),
    isMore: true,
  },
  rates: {
    label: 'Commission rates',
    Section: lazy(() => import('#pwa/features/admin/payments/rates-section.tsx')),
    isMore: true,
  },
  tiers: {
    label: 'Tiers',
    Section: lazy(() => import('#pwa/features/admin/tiers/tiers-section.tsx')),
    isMore: true,
  },
  words: {
    label: 'Words',
    Section: lazy(() => import('#pwa/features/admin/words/words-section.tsx')),
    isMore: true,
  },
  settings: {
    label: 'Settings',
    Section: lazy(() => import('#pwa/features/admin/settings/settings-section.tsx')),
    isMore: true,
  },
  audit: {
    label: 'Audit log',
    Section: lazy(() => import('#pwa/features/admin/settings/audit-section.tsx')),
    isMore: true,
  },
  mail: {
    label: 'Mail',
    Section: lazy(() => import('#pwa/features/admin/system/mail-section.tsx')),
    isMore: true,
  },
  jobs: {
    label: 'Jobs',
    Section: lazy(() => import('#pwa/features/admin/system/jobs-section.tsx')),
    isMore: true,
  },
}

export const firstPlace = 'members'

/** As the menu and the keys know them. */
export const menuPlaces = Object.entries(places).map(([name, { label }]) => ({ name, label }))

import { type ComponentType, lazy } from 'react'
import { loadFile } from '#pwa/lib/load-file.ts'

type Tab = { label: string; Section: ComponentType }

/** `tabs`: address below `/admin` → tab. The first one opens with the place. */
type Place = { label: string; tabs: Record<string, Tab> }

const section = (load: () => Promise<{ default: ComponentType }>) => lazy(() => loadFile(load))

/** The owners' nine places, in order. A tab keeps its address wherever it’s moved, so that links in emails keep working. */
export const adminPlaces = {
  today: {
    label: 'Today',
    tabs: { today: { label: 'Today', Section: section(() => import('#pwa/features/admin/today/today.tsx')) } },
  },
  members: {
    label: 'Members',
    tabs: {
      members: { label: 'Active', Section: section(() => import('#pwa/features/admin/members/members.tsx')) },
      inactive: { label: 'Inactive', Section: section(() => import('#pwa/features/admin/members/inactive.tsx')) },
      'at-risk': {
        label: 'At risk',
        Section: section(() => import('#pwa/features/admin/videos/engagement/at-risk.tsx')),
      },
    },
  },
  inbox: {
    label: 'Inbox',
    tabs: {
      applications: {
        label: 'Applications',
        Section: section(() => import('#pwa/features/admin/inbox/applications.tsx')),
      },
      coaching: { label: 'Coaching', Section: section(() => import('#pwa/features/admin/inbox/coaching.tsx')) },
      questions: {
        label: 'Questions',
        Section: section(() => import('#pwa/features/admin/inbox/questions/questions.tsx')),
      },
      contacts: { label: 'Messages', Section: section(() => import('#pwa/features/admin/inbox/contacts.tsx')) },
      bookings: { label: 'Bookings', Section: section(() => import('#pwa/features/admin/inbox/bookings.tsx')) },
      orders: { label: 'Orders', Section: section(() => import('#pwa/features/admin/inbox/orders.tsx')) },
    },
  },
  calendar: {
    label: 'Calendar',
    tabs: {
      calendar: { label: 'Calendar', Section: section(() => import('#pwa/features/admin/calendar/calendar.tsx')) },
    },
  },
  money: {
    label: 'Money',
    tabs: {
      earned: { label: 'Earned', Section: section(() => import('#pwa/features/admin/money/earned/earned.tsx')) },
      payments: {
        label: 'Payments',
        Section: section(() => import('#pwa/features/admin/money/payments/payments.tsx')),
      },
      revenue: { label: 'Revenue', Section: section(() => import('#pwa/features/admin/money/revenue/revenue.tsx')) },
      invoices: {
        label: 'Invoices',
        Section: section(() => import('#pwa/features/admin/money/invoices/invoices.tsx')),
      },
      payouts: { label: 'Payouts', Section: section(() => import('#pwa/features/admin/money/payouts/payouts.tsx')) },
      rates: {
        label: 'Commission rates',
        Section: section(() => import('#pwa/features/admin/money/payments/rates.tsx')),
      },
      statements: {
        label: 'Statements',
        Section: section(() => import('#pwa/features/admin/money/payments/statement.tsx')),
      },
      tiers: { label: 'Tiers', Section: section(() => import('#pwa/features/admin/money/tiers/tiers.tsx')) },
    },
  },
  videos: {
    label: 'Videos',
    tabs: {
      videos: { label: 'Videos', Section: section(() => import('#pwa/features/admin/videos/videos.tsx')) },
      watching: {
        label: 'Engagement',
        Section: section(() => import('#pwa/features/admin/videos/engagement/engagement.tsx')),
      },
    },
  },
  site: {
    label: 'Site',
    tabs: {
      blog: { label: 'Blog', Section: section(() => import('#pwa/features/admin/site/blog/blog.tsx')) },
      podcast: { label: 'Podcast', Section: section(() => import('#pwa/features/admin/site/podcast/podcast.tsx')) },
      words: { label: 'Content', Section: section(() => import('#pwa/features/admin/site/content/content.tsx')) },
      media: { label: 'Media', Section: section(() => import('#pwa/features/admin/site/media/media.tsx')) },
      analytics: {
        label: 'Analytics',
        Section: section(() => import('#pwa/features/admin/site/analytics/analytics.tsx')),
      },
    },
  },
  marketing: {
    label: 'Marketing',
    tabs: {
      mailings: { label: 'Campaigns', Section: section(() => import('#pwa/features/admin/marketing/mailings.tsx')) },
      'follow-ups': {
        label: 'Automatic emails',
        Section: section(() => import('#pwa/features/admin/marketing/follow-ups.tsx')),
      },
      announcements: {
        label: 'Announcements',
        Section: section(() => import('#pwa/features/admin/marketing/announcements.tsx')),
      },
    },
  },
  settings: {
    label: 'Settings',
    tabs: {
      settings: { label: 'Business', Section: section(() => import('#pwa/features/admin/settings/business.tsx')) },
      owners: { label: 'People', Section: section(() => import('#pwa/features/admin/settings/owners.tsx')) },
      addresses: { label: 'Addresses', Section: section(() => import('#pwa/features/admin/settings/addresses.tsx')) },
      mail: { label: 'Email', Section: section(() => import('#pwa/features/admin/settings/system/mail.tsx')) },
      audit: { label: 'Audit log', Section: section(() => import('#pwa/features/admin/settings/audit.tsx')) },
      jobs: { label: 'Jobs', Section: section(() => import('#pwa/features/admin/settings/system/jobs.tsx')) },
      tokens: { label: 'API tokens', Section: section(() => import('#pwa/features/admin/settings/tokens.tsx')) },
      'move-in': {
        label: 'Move in or out',
        Section: section(() => import('#pwa/features/admin/settings/move-in/move-in.tsx')),
      },
    },
  },
} satisfies Record<string, Place>

export type PlaceName = keyof typeof adminPlaces

export const placeNames = Object.keys(adminPlaces) as PlaceName[]

const tabs = placeNames.flatMap((place) =>
  Object.entries<Tab>(adminPlaces[place].tabs).map(([name, tab]) => ({ name, place, ...tab })),
)

/** Undefined if no tab has this address. */
export const findTab = (name: string) => tabs.find((tab) => tab.name === name)

/** Every tab, in a list. `within`: its place, unless it has the place’s own name. */
export const allTabs = tabs.map(({ name, place, label }) => {
  const within: string = adminPlaces[place].label
  return { name, label, within: within === label ? undefined : within }
})

/** The tab a place opens with. */
export const firstTabOf = (place: PlaceName): string => Object.keys(adminPlaces[place].tabs)[0] ?? place

/** The tab that is `/admin` itself. */
export const firstTab = 'today'

/** Tab → the letter pressed after `g`. */
export const tabKeys: Record<string, string> = {
  today: 't',
  members: 'm',
  inactive: 'i',
  payments: 'p',
  videos: 'v',
  applications: 'a',
  blog: 'b',
  analytics: 'n',
  coaching: 'c',
  contacts: 'e',
  bookings: 'k',
  orders: 'o',
  revenue: 'r',
  invoices: 'u',
  statements: 'h',
  rates: 'f',
  tiers: 'x',
  settings: 's',
  audit: 'd',
  mail: 'l',
  jobs: 'j',
  calendar: 'w',
  mailings: 'y',
  earned: 'q',
}

import { ContentPage, legalPages } from '#shared/contract/admin-content.ts'
import type { MailKind } from '#shared/contract/texts/mails.ts'

export const pageLabels: Record<ContentPage, string> = {
  site: 'On every page',
  mails: 'Emails',
  home: 'Home',
  about: 'About',
  podcast: 'Podcast',
  coaching: 'Coaching',
  'coaching-application': 'Coaching application',
  'book-coaching-call': 'Book a coaching call',
  'membership-tiers': 'Membership tiers',
  contact: 'Contact',
  blog: 'Blog',
  'sales-lion': 'Sales Lion',
  servicem8: 'ServiceM8',
  quotient: 'Quotient',
  'website-builds': 'Website builds',
  'book-call': 'Book a call',
  'catch-up': 'Catch-up call',
  health: 'Health',
  privacy: 'Privacy',
  terms: 'Terms',
  cookies: 'Cookies',
  cancellation: 'Cancelling',
  accessibility: 'Accessibility',
  'follow-ups': 'Automatic emails',
  'search-words': 'Search words',
}

const mailLabels: Record<MailKind, string> = {
  welcome: 'Welcome',
  reactivated: 'Welcome back',
  'set-up': 'Membership set up',
  receipt: 'Receipt',
  'payment-failed': 'Payment failed',
  'access-ending': 'Access about to end',
  'access-ended': 'Access ended',
  'card-link': 'Check your card',
  'moved-in': 'Moved in from elsewhere',
  'tier-change': 'Tier change',
  'price-move': 'New price',
  renewal: 'A year about to renew',
  ending: 'Membership cancelled',
  resumed: 'Cancellation undone',
  ended: 'Membership ended',
  refund: 'Refund',
  'quotient-order': 'Quotient ordered',
  answer: 'A question answered',
  published: 'A question published',
}

/** `part` opens that part of the page’s form. */
type Row = { page: ContentPage; part?: string; label: string; says: string }
type Group = { title: string; rows: readonly Row[] }

const knownPages: readonly ContentPage[] = [
  ...(['home', 'about', 'coaching', 'membership-tiers', 'podcast', 'blog', 'contact'] as const),
  ...(['sales-lion', 'servicem8', 'quotient', 'website-builds'] as const),
  ...(['book-call', 'catch-up', 'book-coaching-call', 'coaching-application', 'health'] as const),
]
const listedElsewhere: readonly ContentPage[] = [
  ...knownPages,
  ...legalPages,
  'site',
  'mails',
  'follow-ups',
  'search-words',
]
/** Most edited first. A page missing from the groups comes last, so it can’t be forgotten. */
const ownPages = [...knownPages, ...ContentPage.options.filter((page) => !listedElsewhere.includes(page))]

const rowOf = (page: ContentPage): Row => ({
  page,
  label: pageLabels[page],
  says: page === 'home' ? '/' : `/${page}`,
})

export const pageGroups: readonly Group[] = [
  {
    title: 'On every page',
    rows: [
      { page: 'site', part: 'brand', label: 'Brand', says: 'Name, logo, two colours, how to reach you' },
      { page: 'site', part: 'coaches', label: 'Coaches', says: 'Names, trades and towns, photographs, chat and email' },
      { page: 'site', part: 'navigation', label: 'Menus', says: 'The bar at the top' },
      { page: 'site', part: 'quickLinks', label: 'Footer links', says: 'Quick links' },
      { page: 'site', part: 'claims', label: 'Claims', says: 'Figures you stand by. You can turn each one off' },
      { page: 'site', part: 'prices', label: 'Prices in sentences', says: 'Other prices on the pages' },
      { page: 'site', part: 'mastermind', label: 'Mastermind', says: 'The invitation-only tier' },
      { page: 'site', part: 'photographs', label: 'Photographs', says: 'Shown instead of the drawings' },
    ],
  },
  {
    title: 'Pages',
    rows: [
      ...ownPages.slice(0, 1).map(rowOf),
      { page: 'home', part: 'reviews', label: 'Reviews', says: 'Real ones, with proof' },
      ...ownPages.slice(1).map(rowOf),
    ],
  },
  { title: 'Legal pages', rows: legalPages.map(rowOf) },
  {
    title: 'Members’ area',
    rows: [
      {
        page: 'search-words',
        label: 'Search words',
        says: 'Other words for the same thing, so members find a video',
      },
    ],
  },
  {
    title: 'Emails',
    rows: Object.entries(mailLabels).map(([part, label]) => ({
      page: 'mails',
      part,
      label,
      says: '',
    })),
  },
]

const labels: Record<string, string> = {
  isOn: 'Shown on the site',
  isSample: 'Still a sample: hidden once you take real money',
  isMostPopular: 'Marked as the most popular',
  verified: 'Verified',
  quickLinks: 'Footer links',
  navigation: 'Menu',
  faq: 'Questions and answers',
  alt: 'What it shows, for people who can’t see it',
  image: 'Picture',
  chat: 'Chat address',
  actions: 'Buttons at the top',
  drawing: 'Drawing at the top',
  show: 'In podcast apps',
  callNote: 'Under the button for calls',
  putRight: 'Put right',
  hero: 'Headline',
  lead: 'Line below the heading',
  promises: 'Lines',
  name: 'Name',
  title: 'Title',
  description: 'Description',
  groups: 'Words for the same thing',
  updated: 'Last changed',
  accent: 'Accent',
  link: 'Links and focus',
  founded: 'Founded',
  shortName: 'Short name',
  callDay: 'Weekly call day',
  path: 'Links to',
  items: 'Entries',
  body: 'Paragraphs',
  seconds: 'Length in seconds',
  opening: 'Opening',
  closing: 'Closing',
  ...mailLabels,
  proof: 'Proof (only owners see this)',
}

export const labelOf = (name: string): string =>
  labels[name] ??
  `${name[0]?.toUpperCase() ?? ''}${name.slice(1).replace(/(?<=[a-z])[A-Z]|[-_]/g, (one) => ` ${one.toLowerCase().replace(/[-_]/, '')}`)}`

/** `items.0.title` becomes `Entries › 1 › Title`. */
export const entryLabel = (entry: string): string =>
  entry === ''
    ? 'The whole page'
    : entry
        .split('.')
        .map((name) =>
          /^\d+$/.test(name)
            ? String(Number(name) + 1)
            : labelOf(name)
                .replace(/[:(].*/, '')
                .trim(),
        )
        .join(' › ')

/** Only a page’s own title and description reach search engines; a part’s get no hint. */
export function hintOf(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('.') + 1)
  const isOfPage = path === name || /^(checkout|success)\.\w+$/.test(path)
  return (name === 'title' || name === 'description') && !isOfPage ? undefined : hints[name]
}

const hints: Record<string, string> = {
  title: 'In browser tabs and search results, not on the page: about 60 characters.',
  description: 'In search results, not on the page: about 155 characters.',
  proof: 'Such as “Google, 3 May 2026, D. Marsh’s account”. Without it, the review gets no VERIFIED stamp.',
  logo: 'It’s on the site once you’ve published.',
  trade: 'Add a trade or a town and the coach is on Home and About.',
  founded: 'A year. Put it in text as {brand.founded}.',
  figure: 'Such as 500+ or £2.3M.',
  subject: 'Leave it empty to use the one next to this form.',
  groups:
    'One group a line, with commas: day rate, hourly rate, pricing. A member who types one of them finds videos that use the others.',
  opening: 'Goes above the standard text. Leave it empty for none. Amounts, days and links always stay.',
  closing: 'Goes below the standard text. Leave it empty for none.',
}

/** Names a union’s variant by its keys; null is plain text. */
export function variantLabel(names: readonly string[] | null): string {
  if (names === null) return 'Paragraph'
  const known: Record<string, string> = {
    list: 'List',
    items: 'Items with names',
    form: 'Form to copy',
    'claim,text': 'One of the site’s claims',
    'figure,label,text': 'Its own figure',
    'label,path': 'Link',
    'label,items': 'Menu of links',
  }
  return known[names.join(',')] ?? names.map(labelOf).join(', ')
}

/** Where a found text is edited. */
export function wordsTarget({ page, entry }: { page: string; entry: string }) {
  const isInParts = page === 'site' || page === 'mails'
  return { place: 'words', search: { page, entry, ...(isInParts && { part: entry.split('.')[0] ?? '' }) } }
}

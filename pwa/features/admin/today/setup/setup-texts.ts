import type { PlaceTarget } from '#pwa/features/admin/kit/part.tsx'
import type { BadgeTone } from '#pwa/ui/badge.tsx'
import type { SetupItem, SetupName, SetupState } from '#shared/contract/setup.ts'
import { plural } from '#shared/rules/plural.ts'

type Text = {
  title: string
  /** The place to set it, or the environment variable if that’s the only way. */
  target: PlaceTarget | { environment: string }
  /** The page that shows it; null if none does. */
  see: string | null
  check: string
}

export const setupTexts: Record<SetupName, Text> = {
  seller: {
    title: 'Your business',
    target: { place: 'settings', search: { group: 'seller' } },
    see: '/terms',
    check: 'Check the VAT number',
  },
  legal: {
    title: 'Legal pages',
    target: { place: 'settings', search: { group: 'seller' } },
    see: '/privacy',
    check: 'Look for gaps',
  },
  brand: {
    title: 'Name, logo and colours',
    target: { place: 'words', search: { page: 'site', part: 'brand' } },
    see: '/',
    check: 'Check the colours',
  },
  contacts: {
    title: 'Contacts',
    target: { place: 'words', search: { page: 'site', part: 'coaches' } },
    see: '/contact',
    check: 'Check the contacts',
  },
  mail: {
    title: 'Email',
    target: { environment: 'SMTP_URL, MAIL_FROM' },
    see: null,
    check: 'Send a test email',
  },
  stripe: {
    title: 'Payments',
    target: { environment: 'STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY, STRIPE_WEBHOOK_SECRET' },
    see: '/membership-tiers',
    check: 'Try the keys',
  },
  'stripe-mails': {
    title: 'Stripe’s own emails',
    target: { place: 'settings', search: { group: 'emails' } },
    see: null,
    check: 'See what to switch off',
  },
  calendars: {
    title: 'Calendars',
    target: { place: 'addresses', search: { group: 'calls' } },
    see: '/book-call',
    check: 'Try the addresses',
  },
  community: {
    title: 'Community',
    target: { place: 'addresses', search: { group: 'community' } },
    see: '/members',
    check: 'Try the address',
  },
  video: { title: 'First video', target: { place: 'videos' }, see: '/members', check: 'See if it plays' },
  post: { title: 'First post', target: { place: 'blog' }, see: '/blog', check: 'See if it’s up' },
  phones: { title: 'Light videos for phones', target: { environment: 'FFMPEG' }, see: null, check: 'Look for ffmpeg' },
}

export const stateTexts: Record<SetupItem['state'], string> = {
  done: 'Done',
  sample: 'Sample',
  unset: 'Not set',
  optional: 'Optional',
}

export const stateTones: Record<SetupItem['state'], BadgeTone> = {
  done: 'ok',
  sample: 'wait',
  unset: 'wait',
  optional: 'plain',
}

export const isSettled = ({ state }: SetupItem): boolean => state === 'done' || state === 'optional'

export function nextText({ items }: SetupState): string {
  const open = items.filter((item) => !isSettled(item))
  const [next] = open
  if (next === undefined) return 'It’s all filled in, but something below still stops you going live.'
  return `${plural(open.length, 'thing')} left. Next: ${setupTexts[next.name].title}.`
}

/** A database that has used the sandbox or a test key can’t be used with a live one. */
export const readyText =
  'Yes. Save the file below for whoever hosts your site. They’ll start the live site with a new data folder and the live keys, then import the file.'

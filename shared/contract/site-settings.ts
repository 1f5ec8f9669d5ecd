import * as v from 'valibot'
import { Line, Text } from './fields.ts'

/** The headings options are grouped under, in this order. */
export const settingGroups = {
  seller: 'Your business (required by law)',
  consumers: 'Who can join',
  emails: 'Stripe’s own emails',
  partner: 'The sales partner, on commission statements',
  calls: 'Calendars',
  community: 'Community and networks',
  podcast: 'Podcast',
  films: 'Videos and players',
  sales: 'Sales pages',
  measuring: 'Analytics',
  owners: 'Owners’ accounts',
} as const
export type SettingGroup = keyof typeof settingGroups

type Option = {
  group: SettingGroup
  label: string
  hint?: string
  isLong?: true
  /** Its value is yes or no; no if it isn’t set. */
  isChoice?: true
  /**
   * Names us or is a particular the law requires. All other options send people somewhere, load something into their browsers, say
   * who gets our email or protect the owners' accounts. Changing those needs a recent password.
   */
  isPlain?: true
}

const perCoach = 'Two addresses with a comma between them, one for each coach.'
const script = 'The script’s address, starting https://, not the snippet around it. We load it once a visitor accepts.'
const severalAddresses = 'Addresses with commas between them.'

/**
 * The options owners can set while the site runs, by the environment variable that overrides each. None is a secret: those are only
 * in the environment.
 */
export const siteOptions = {
  SELLER_NAME: { group: 'seller', label: 'Name of the business', hint: 'As on its VAT registration.', isPlain: true },
  SELLER_ADDRESS: {
    group: 'seller',
    label: 'Registered office',
    hint: 'On every VAT invoice and at the bottom of every page.',
    isLong: true,
    isPlain: true,
  },
  SELLER_VAT_NUMBER: { group: 'seller', label: 'VAT number', hint: 'For example GB 123 4567 82.', isPlain: true },
  SELLER_COMPANY_NUMBER: {
    group: 'seller',
    label: 'Company number',
    hint: 'If you’re a sole trader, write: none.',
    isPlain: true,
  },
  SELLER_REGISTERED_IN: {
    group: 'seller',
    label: 'Registered in',
    hint: 'For example England and Wales. Your terms are under its law.',
    isPlain: true,
  },
  SELLER_ICO_NUMBER: {
    group: 'seller',
    label: 'ICO registration number',
    hint: 'For the privacy page.',
    isPlain: true,
  },
  SELLER_EMAIL: { group: 'seller', label: 'Email address', hint: 'On the legal pages, for any questions.' },
  SELLER_HOSTING: {
    group: 'seller',
    label: 'Hosting company',
    hint: 'With its country, for the privacy page.',
    isPlain: true,
  },
  SELLER_MAIL_SERVICE: {
    group: 'seller',
    label: 'Email company',
    hint: 'With its country, for the privacy page.',
    isPlain: true,
  },
  SALES_PARTNER: { group: 'partner', label: 'Sales partner', hint: 'Named on commission statements.', isPlain: true },
  SALES_PARTNER_EMAIL: {
    group: 'partner',
    label: 'Sales partner’s email',
    hint: 'Where their statements are emailed.',
  },
  SELLS_TO_CONSUMERS: {
    group: 'consumers',
    label: 'Private customers can join',
    hint: 'People who don’t join for their business. If yes, the payment step and first email explain their 14 days to cancel.',
    isChoice: true,
    isPlain: true,
  },
  STRIPE_MAILS_OFF: {
    group: 'emails',
    label: 'Stripe’s renewal emails are off',
    hint: 'In Stripe: Settings, Subscriptions and emails, upcoming renewals. We email members ourselves, so they’d get two.',
    isChoice: true,
    isPlain: true,
  },
  BOOKING_URL: { group: 'calls', label: 'Free calls' },
  COACH_CALL_URLS: { group: 'calls', label: 'Monthly coaching calls', hint: perCoach, isLong: true },
  CATCH_UP_URLS: { group: 'calls', label: 'Catch-up calls', hint: perCoach, isLong: true },
  SALES_CALL_URL: { group: 'calls', label: 'Sales Lion calls' },
  COMMUNITY_URL: { group: 'community', label: 'Community' },
  FACEBOOK_URL: { group: 'community', label: 'Facebook' },
  INSTAGRAM_URL: { group: 'community', label: 'Instagram' },
  PODCAST_PLAYER_URL: { group: 'podcast', label: 'Player' },
  PODCAST_MUSIC_URL: { group: 'podcast', label: 'In a music app' },
  PODCAST_DIRECTORY_URL: { group: 'podcast', label: 'In a podcast app' },
  TRANSFORMATION_VIDEO_URL: { group: 'films', label: 'Video on the home page' },
  SALES_DEMO_VIDEO_URL: { group: 'films', label: 'Sales Lion: demo' },
  SALES_CASE_VIDEO_URL: { group: 'films', label: 'Sales Lion: case study' },
  SALES_TRAINING_VIDEO_URLS: { group: 'films', label: 'Sales Lion: training', hint: severalAddresses, isLong: true },
  EMBED_HOSTS: {
    group: 'films',
    label: 'More video hosts',
    hint: 'For example player.example.com, with commas between them.',
  },
  WEBSITE_BUILDS_URL: { group: 'sales', label: 'Website builds' },
  SALES_PRICING_URL: { group: 'sales', label: 'Sales Lion: prices' },
  SALES_PAYMENT_URL: { group: 'sales', label: 'Sales Lion: payment' },
  SALES_REMINDER_URL: { group: 'sales', label: 'Sales Lion: service reminders' },
  ANALYTICS_URL: { group: 'measuring', label: 'Analytics script', hint: script },
  PIXEL_URL: { group: 'measuring', label: 'Ad tracking script', hint: script },
  OWNERS_SECOND_FACTOR: {
    group: 'owners',
    label: 'Two-step login for every owner',
    hint: 'If yes, every owner needs an authenticator app or a passkey as well as the password.',
    isChoice: true,
  },
} as const satisfies Record<string, Option>

export const SettingName = v.keyof(v.object(entriesFor(siteOptions, v.unknown())), 'There’s no setting with this name.')
export type SettingName = v.InferOutput<typeof SettingName>

/** An object schema’s entries: the same schema for each name. */
function entriesFor<Name extends string, Schema>(named: Record<Name, unknown>, schema: Schema): Record<Name, Schema> {
  const entries = Object.keys(named).map((name) => [name, schema])
  // The one cast: `fromEntries` forgets that the names are those we passed in.
  return Object.fromEntries(entries) as Record<Name, Schema>
}

export const settingOption = (name: SettingName): Option => siteOptions[name]

/** A setting as owners see it. `value` is the current one; empty means not set. */
export const SiteSetting = v.object({
  name: SettingName,
  value: v.string(),
  source: v.picklist(['environment', 'database', 'none']),
  /** What's wrong with it; null if nothing is. */
  problem: v.nullable(v.string()),
  version: v.number(),
  updatedAt: v.nullable(v.string()),
})
export type SiteSetting = v.InferOutput<typeof SiteSetting>
export const SiteSettingList = v.array(SiteSetting)

/** A group’s settings, in order. `version` grows with each change of any of them. */
export const SiteSettingGroup = v.object({ version: v.number(), settings: SiteSettingList })
export type SiteSettingGroup = v.InferOutput<typeof SiteSettingGroup>

export const SettingGroupParams = v.object({ group: v.keyof(v.object(entriesFor(settingGroups, v.unknown()))) })

export const SettingParams = v.object({ name: SettingName })

const longest = 2000
export const SettingLine = Line(longest)

export const SettingRequest = v.object({ value: Text(longest) })
export type SettingRequest = v.InferOutput<typeof SettingRequest>

/** `version` is the setting's when the change was started; 0 if it was never set. */
export const SettingChange = v.object({
  ...SettingRequest.entries,
  version: v.pipe(v.number(), v.integer(), v.minValue(0)),
})
export type SettingChange = v.InferOutput<typeof SettingChange>

/** The values of some settings of one group; what isn’t named stays. */
export const SettingGroupRequest = v.partial(v.object(entriesFor(siteOptions, SettingRequest.entries.value)))
export type SettingGroupRequest = v.InferOutput<typeof SettingGroupRequest>

/** `version` is the group’s when the change was started. */
export const SettingGroupChange = v.object({
  ...SettingGroupRequest.entries,
  version: SettingChange.entries.version,
})
export type SettingGroupChange = v.InferOutput<typeof SettingGroupChange>

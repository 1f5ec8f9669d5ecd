import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import type { HasDb } from '#api/db/query.ts'
import { SiteEnvironment } from '#api/environment.ts'
import { cacheVersion } from '#api/serving/kept-answers.ts'
import type { Settings } from '#api/settings.ts'
import type { Measuring, OutsideLinks } from '#shared/contract/site-content.ts'
import { SettingName } from '#shared/contract/site-settings.ts'
import type { Firm, Seller } from '#shared/rules/firm.ts'
import { isVatNumberShaped } from '#shared/rules/vat-number.ts'
import { videoHosts } from '#shared/rules/video.ts'
import { storedSettings } from './settings-queries.ts'

export type SiteSettings = {
  /** The seller as invoices name it; a sample if nothing is set. */
  seller: Seller
  /** The seller as set, with everything legal pages say about it. Unset particulars are empty. */
  firm: Firm
  /** Unset seller options, which the sample replaces. */
  sampleSellerOptions: readonly SettingName[]
  /** Other unset particulars, which leave a gap in the legal pages. */
  blankFirmOptions: readonly SettingName[]
  salesPartner: string
  /** Where statements are mailed; empty if not set. */
  salesPartnerEmail: string
  ownersNeedSecondFactor: boolean
  /** To consumers as well as businesses. */
  sellsToConsumers: boolean
  /** An owner has said that Stripe's own emails about renewals are off. */
  stripeMailsAreOff: boolean
  embedHosts: readonly string[]
  links: OutsideLinks
  measuring: Measuring
}

/** Appears on invoices of a site that takes no real money. No one can mistake it for a real business. */
const sampleSeller: Seller = {
  name: 'Sample Seller Ltd',
  address: '1 Sample Street, Sampletown, SA1 1AA',
  vatNumber: 'GB 000 0000 00',
}

const sellerOptions = { name: 'SELLER_NAME', address: 'SELLER_ADDRESS', vatNumber: 'SELLER_VAT_NUMBER' } as const

const firmOptions = [
  ...(['SELLER_COMPANY_NUMBER', 'SELLER_REGISTERED_IN', 'SELLER_ICO_NUMBER'] as const),
  ...(['SELLER_EMAIL', 'SELLER_HOSTING', 'SELLER_MAIL_SERVICE'] as const),
]

type Known = { version: number; values: string; settings: SiteSettings }

const knownOf = new WeakMap<Context, Known>()

/** The same object until something changes. */
export function siteSettings(ctx: Context): SiteSettings {
  try {
    return currentSettings(ctx)
  } catch (error) {
    // Every response needs its headers, even the one reporting that the database is gone.
    ctx.log.error('settings not read', { reason: String(error) })
    return knownOf.get(ctx)?.settings ?? settingsOfEnvironment(ctx.settings)
  }
}

function currentSettings(ctx: Context): SiteSettings {
  const version = cacheVersion(ctx)
  const known = knownOf.get(ctx)
  if (known?.version === version) return known.settings
  const values = siteValues(ctx)
  const text = JSON.stringify(values)
  const settings = known?.values === text ? known.settings : toSiteSettings(values, ctx.settings)
  knownOf.set(ctx, { version, values: text, settings })
  return settings
}

export type HasSettings = HasDb & { settings: Settings }

/** Without a context, and uncached. */
export const readSiteSettings = (ctx: HasSettings): SiteSettings => toSiteSettings(siteValues(ctx), ctx.settings)

/** From the environment only, for use without a database. */
export const settingsOfEnvironment = (settings: Settings): SiteSettings => toSiteSettings(settings.site, settings)

type Values = Partial<Record<SettingName, string>>

/** Values from the database that the environment doesn't set. Leaves out those that no longer fit. */
export function siteValues(ctx: HasSettings): Values {
  const stored = storedSettings.all(ctx).filter(({ name, value }) => problemOf(name, value) === null)
  return { ...Object.fromEntries(stored.map(({ name, value }) => [name, value])), ...ctx.settings.site }
}

/** Why a value is invalid for this setting; null if it's valid. */
export function problemOf(name: string, value: string): string | null {
  if (!v.is(SettingName, name)) return 'There’s no such setting.'
  if (value.trim() === '') return null
  const parsed = SiteEnvironment.shape[name].safeParse(value)
  return parsed.success ? null : (parsed.error.issues[0]?.message ?? 'is not valid')
}

function toSiteSettings(values: Values, { isLive }: Settings): SiteSettings {
  const filled = Object.entries(values).filter(([, value]) => value.trim() !== '')
  const env = SiteEnvironment.parse(Object.fromEntries(filled))
  const own: Seller = { name: env.SELLER_NAME, address: env.SELLER_ADDRESS, vatNumber: env.SELLER_VAT_NUMBER }
  const sample = isLive ? { name: '', address: '', vatNumber: '' } : sampleSeller
  const parts = ['name', 'address', 'vatNumber'] as const
  return {
    seller: {
      name: own.name || sample.name,
      address: own.address || sample.address,
      vatNumber: own.vatNumber || sample.vatNumber,
    },
    firm: firmOf(env, own),
    sampleSellerOptions: parts.filter((part) => !own[part]).map((part) => sellerOptions[part]),
    blankFirmOptions: firmOptions.filter((name) => !env[name]),
    salesPartner: env.SALES_PARTNER,
    salesPartnerEmail: env.SALES_PARTNER_EMAIL,
    ownersNeedSecondFactor: env.OWNERS_SECOND_FACTOR === 'yes',
    sellsToConsumers: env.SELLS_TO_CONSUMERS === 'yes',
    stripeMailsAreOff: env.STRIPE_MAILS_OFF === 'yes',
    embedHosts: env.EMBED_HOSTS,
    links: outsideLinks(env),
    measuring: { analytics: env.ANALYTICS_URL, pixel: env.PIXEL_URL },
  }
}

const firmOf = (env: SiteEnvironment, { name, address, vatNumber }: Seller): Firm => ({
  name,
  office: address.replace(/(?<!\s)\s*\n\s*/g, ', '),
  vatNumber,
  number: env.SELLER_COMPANY_NUMBER,
  registeredIn: env.SELLER_REGISTERED_IN,
  dataRegistration: env.SELLER_ICO_NUMBER,
  email: env.SELLER_EMAIL,
  hosting: env.SELLER_HOSTING,
  mailService: env.SELLER_MAIL_SERVICE,
})

/** Why we can't take real money: every charge needs a valid VAT invoice. Null if nothing is missing. */
export function sellerProblem({ firm, sampleSellerOptions: missing }: SiteSettings): string | null {
  const how = 'in the environment, or with "alliance settings set"'
  if (missing.length > 0) return `Set ${missing.join(', ')} ${how}.`
  if (isVatNumberShaped(firm.vatNumber)) return null
  return `SELLER_VAT_NUMBER isn’t a UK VAT number, nine digits such as GB 123 4567 82. Set it ${how}.`
}

/** Addresses of other sites. An empty one hides its link. */
const outsideLinks = (env: SiteEnvironment): OutsideLinks => ({
  booking: env.BOOKING_URL,
  coachCalls: env.COACH_CALL_URLS,
  catchUps: env.CATCH_UP_URLS,
  community: env.COMMUNITY_URL,
  podcastPlayer: env.PODCAST_PLAYER_URL,
  podcastMusic: env.PODCAST_MUSIC_URL,
  podcastDirectory: env.PODCAST_DIRECTORY_URL,
  facebook: env.FACEBOOK_URL,
  instagram: env.INSTAGRAM_URL,
  transformationVideo: env.TRANSFORMATION_VIDEO_URL,
  websiteBuilds: env.WEBSITE_BUILDS_URL,
  salesCall: env.SALES_CALL_URL,
  salesPricing: env.SALES_PRICING_URL,
  salesPayment: env.SALES_PAYMENT_URL,
  salesReminder: env.SALES_REMINDER_URL,
  salesDemoVideo: env.SALES_DEMO_VIDEO_URL,
  salesCaseVideo: env.SALES_CASE_VIDEO_URL,
  salesTrainingVideos: env.SALES_TRAINING_VIDEO_URLS,
})

/** The origins of frames that pages may show. */
export const embeddedOrigins = ({ embedHosts, links }: SiteSettings): string[] => [
  ...videoHosts,
  ...originsOf([
    ...embedHosts.map((host) => (host.includes('://') ? host : `https://${host}`)),
    ...embeddedLinks(links),
  ]),
]

export const originsOf = (addresses: readonly string[]): string[] => [
  ...new Set(addresses.filter((address) => URL.canParse(address)).map((address) => new URL(address).origin)),
]

/** Links a page embeds. The others open in a new tab. */
const embeddedLinks = (links: OutsideLinks): string[] => [
  ...[links.booking, ...links.coachCalls, ...links.catchUps],
  ...[links.podcastPlayer, links.transformationVideo],
  ...[links.salesCall, links.salesPricing, links.salesPayment],
  ...[links.salesDemoVideo, links.salesCaseVideo, ...links.salesTrainingVideos],
]

import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import type { HasDb } from '#api/db/query.ts'
import { SiteEnvironment } from '#api/environment.ts'
import { cacheVersion } from '#api/http/response-cache.ts'
import type { Settings } from '#api/settings.ts'
import type { Measuring, OutsideLinks } from '#shared/contract/site-content.ts'
import { SettingName } from '#shared/contract/site-settings.ts'
import type { Firm, Seller } from '#shared/rules/firm.ts'
import { isVatNumberShaped } from '#shared/rules/vat-number.ts'
import { storedSettings } from './queries.ts'

/** What owners may change while the site runs. */
export type SiteSettings = {
  /** Who sells, as invoices name them: a sample where nothing is set. */
  seller: Seller
  /** The same as set, with all that the legal pages say of it; what is not set is empty. */
  firm: Firm
  /** The seller's options that are not set, so that the sample stands in their place. */
  sampleSellerOptions: readonly SettingName[]
  /** The other particulars that are not set, so that the legal pages have a gap there. */
  blankFirmOptions: readonly SettingName[]
  salesPartner: string
  /** Where statements are mailed; empty where that is not set. */
  salesPartnerEmail: string
  ownersNeedSecondFactor: boolean
  /** Not to businesses alone. */
  sellsToConsumers: boolean
  embedHosts: readonly string[]
  links: OutsideLinks
  measuring: Measuring
}

/** Stands on the invoices of a site that takes no real money; nobody can mistake it for a real business. */
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

/** The same object as long as nothing has changed. */
export function siteSettings(ctx: Context): SiteSettings {
  try {
    return currentSettings(ctx)
  } catch (error) {
    // Each response needs its headers, also the one that says that the database is gone.
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

/** The same without a context, read anew. */
export const readSiteSettings = (ctx: HasSettings): SiteSettings => toSiteSettings(siteValues(ctx), ctx.settings)

/** The environment alone, where there is no database. */
export const settingsOfEnvironment = (settings: Settings): SiteSettings => toSiteSettings(settings.site, settings)

type Values = Partial<Record<SettingName, string>>

/** What the database holds and the environment does not; a value that no longer fits is left out. */
export function siteValues(ctx: HasSettings): Values {
  const stored = storedSettings.all(ctx).filter(({ name, value }) => problemOf(name, value) === null)
  return { ...Object.fromEntries(stored.map(({ name, value }) => [name, value])), ...ctx.settings.site }
}

/** Why a value cannot be this setting's; null where it can. */
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
    embedHosts: env.EMBED_HOSTS,
    links: outsideLinks(env),
    measuring: { analytics: env.ANALYTICS_URL, pixel: env.PIXEL_URL },
  }
}

const firmOf = (env: SiteEnvironment, { name, address, vatNumber }: Seller): Firm => ({
  ...{ name, office: address.replace(/(?<!\s)\s*\n\s*/g, ', '), vatNumber },
  ...{ number: env.SELLER_COMPANY_NUMBER, registeredIn: env.SELLER_REGISTERED_IN },
  ...{ dataRegistration: env.SELLER_ICO_NUMBER, email: env.SELLER_EMAIL },
  ...{ hosting: env.SELLER_HOSTING, mailService: env.SELLER_MAIL_SERVICE },
})

/** Why no real money may be taken: every charge owes a VAT invoice. Null where nothing is missing. */
export function sellerProblem({ firm, sampleSellerOptions: missing }: SiteSettings): string | null {
  const how = 'in the environment, or with "alliance settings set"'
  if (missing.length > 0) return `Set ${missing.join(', ')} ${how}.`
  if (isVatNumberShaped(firm.vatNumber)) return null
  return `SELLER_VAT_NUMBER isn’t a UK VAT number, nine digits such as GB 123 4567 89. Set it ${how}.`
}

/** Addresses of other sites; where one is empty, nothing leads there. */
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

import * as v from 'valibot'
import * as z from 'zod/mini'
import { Email } from '#shared/contract/fields.ts'
import type { SettingName } from '#shared/contract/site-settings.ts'
import { logLevels } from './log.ts'
import { canonicalAddress } from './network-address.ts'

const splitList = (text: string) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
const text = z._default(z.string(), '')
const itemsOf = (isOne: (item: string) => boolean, message: string) =>
  z.pipe(z.string(), z.transform(splitList)).check(z.refine((items) => items.every(isOne), message))
const listOf = (...items: Parameters<typeof itemsOf>) => z._default(itemsOf(...items), [])
const flag = z.pipe(
  z._default(z.enum(['0', '1'], 'is 0 or 1'), '0'),
  z.transform((value) => value === '1'),
)
const port = z.pipe(
  z.string().check(z.trim(), z.regex(/^\d{1,5}$/, 'must be a port number')),
  z.pipe(z.transform(Number), z.number().check(z.lte(65_535, 'must be a port number, up to 65535'))),
)
const wholeGigabytes = z.pipe(
  z.string().check(z.trim(), z.regex(/^[1-9]\d{0,4}$/, 'must be a whole number of gigabytes')),
  z.transform(Number),
)
/** Checks the protocol, because `localhost:3000` is a valid URL too. */
const isAddress = (value: string, protocol: RegExp) => URL.canParse(value) && protocol.test(new URL(value).protocol)
const isWebAddress = (value: string) => isAddress(value, /^https?:$/)
const noWebAddress = 'must start with http:// or https://'
const webAddress = z.string().check(z.refine(isWebAddress, noWebAddress))
const optionalAddress = z._default(webAddress, '')
const addressList = listOf(isWebAddress, 'has something that isn’t an address')
const addressOfEachCoach = addressList.check(
  z.refine(
    ({ length }) => length === 0 || length === 2,
    'must be empty, or two addresses with a comma between them, one for each coach',
  ),
)
function isOrigin(value: string) {
  if (!URL.canParse(value)) return false
  const { origin, href } = new URL(value)
  return href.replace(/\/+$/, '') === origin
}
const isHost = (value: string) => /^(https:\/\/)?[a-z0-9-]+(\.[a-z0-9-]+)+(:\d+)?$/i.test(value)
const isPushHost = (value: string) => /^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(value)
/** The forms' own rule, so that the owner can log in with it. */
const isEmail = (value: string) => v.is(Email, value)
/** An address, or a name with the address in angle brackets. Its host may be a bare name such as localhost. */
const isSender = (value: string) => /^([^<>\p{Cc}]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/u.test(value)
export const sampleSender = 'The Alliance <hello@alliance.test>'

/** Goes into content, where braces and square brackets mean something. */
const particular = z._default(z.string().check(z.trim(), z.regex(/^[^{}[\]]*$/, 'must be plain text')), '')

const optionalEmail = z._default(z.string().check(z.trim(), z.refine(isEmail, 'must be an email address')), '')

/** Options owners can also set while the site runs (see `siteOptions`). */
export const SiteEnvironment = z.object({
  SELLER_NAME: text,
  SELLER_ADDRESS: text,
  SELLER_VAT_NUMBER: text,
  SELLER_COMPANY_NUMBER: particular,
  SELLER_REGISTERED_IN: particular,
  SELLER_ICO_NUMBER: particular,
  SELLER_EMAIL: optionalEmail,
  SELLER_HOSTING: particular,
  SELLER_MAIL_SERVICE: particular,
  SALES_PARTNER: z._default(z.string(), 'Sales partner'),
  SALES_PARTNER_EMAIL: optionalEmail,
  OWNERS_SECOND_FACTOR: z._default(z.enum(['', 'yes', 'no'], 'must be yes or no'), ''),
  SELLS_TO_CONSUMERS: z._default(z.enum(['', 'yes', 'no'], 'must be yes or no'), ''),
  STRIPE_MAILS_OFF: z._default(z.enum(['', 'yes', 'no'], 'must be yes or no'), ''),
  EMBED_HOSTS: listOf(isHost, 'has something that isn’t a host'),
  BOOKING_URL: optionalAddress,
  COACH_CALL_URLS: addressOfEachCoach,
  CATCH_UP_URLS: addressOfEachCoach,
  COMMUNITY_URL: optionalAddress,
  PODCAST_PLAYER_URL: optionalAddress,
  PODCAST_MUSIC_URL: optionalAddress,
  PODCAST_DIRECTORY_URL: optionalAddress,
  FACEBOOK_URL: optionalAddress,
  INSTAGRAM_URL: optionalAddress,
  TRANSFORMATION_VIDEO_URL: optionalAddress,
  WEBSITE_BUILDS_URL: optionalAddress,
  SALES_CALL_URL: optionalAddress,
  SALES_PRICING_URL: optionalAddress,
  SALES_PAYMENT_URL: optionalAddress,
  SALES_REMINDER_URL: optionalAddress,
  SALES_DEMO_VIDEO_URL: optionalAddress,
  SALES_CASE_VIDEO_URL: optionalAddress,
  SALES_TRAINING_VIDEO_URLS: addressList,
  ANALYTICS_URL: optionalAddress,
  PIXEL_URL: optionalAddress,
} satisfies Record<SettingName, unknown>)
export type SiteEnvironment = z.infer<typeof SiteEnvironment>

/** Secrets may also be in a file, such as a container's: the same name with `_FILE` says where. */
export const secretNames = [
  'SESSION_SECRET',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'STRIPE_REHEARSAL_KEY',
  'SMTP_URL',
  'BACKUP_KEY',
  'S3_SECRET_ACCESS_KEY',
  'METRICS_TOKEN',
  'CDN_PURGE_TOKEN',
] as const

export const Environment = z.object({
  NODE_ENV: z._default(
    z.enum(['development', 'test', 'production'], 'must be development, test or production'),
    'development',
  ),
  PORT: z._default(port, 3000),
  HOST: z._default(z.string(), '0.0.0.0'),
  DATA_DIR: z._default(z.string(), 'data/local'),
  MEDIA_QUOTA_GB: z._default(wholeGigabytes, 50),
  FFMPEG: text,
  PUBLIC_URL: z.optional(
    webAddress.check(z.refine(isOrigin, 'must be http:// or https:// and a host, without a path')),
  ),
  TAKES_OVER: flag,
  TRUSTED_PROXIES: listOf((one) => canonicalAddress(one) !== null, 'has something that isn’t an IP address'),
  OWNER_EMAILS: z.optional(itemsOf(isEmail, 'has something that isn’t an email address')),
  SIMPLE_ADMIN_EMAIL: z.optional(z.string().check(z.refine(isEmail, 'must be an email address'))),
  SESSION_SECRET: z.optional(z.string().check(z.minLength(32, 'needs at least 32 characters'))),
  SESSION_SECRET_FILE: text,
  STRIPE_SECRET_KEY: text,
  STRIPE_SECRET_KEY_FILE: text,
  STRIPE_PUBLISHABLE_KEY: text,
  STRIPE_WEBHOOK_SECRET: text,
  STRIPE_WEBHOOK_SECRET_FILE: text,
  STRIPE_REHEARSAL_KEY: text,
  STRIPE_REHEARSAL_KEY_FILE: text,
  SANDBOX_PORT: z.optional(port),
  SANDBOX_PEOPLE: z.optional(z.enum(['few', 'many'], 'must be few or many')),
  ALLOW_SANDBOX: flag,
  SMTP_URL: z.optional(
    z.string().check(z.refine((value) => isAddress(value, /^smtps?:$/), 'must start with smtp:// or smtps://')),
  ),
  SMTP_URL_FILE: text,
  MAIL_FROM: z._default(
    z.string().check(z.trim(), z.refine(isSender, 'must be a sender such as The Alliance <hello@alliance.example>')),
    sampleSender,
  ),
  API_DOCS: flag,
  LOG_LEVEL: z._default(z.enum(logLevels, 'must be debug, info, warn or error'), 'info'),
  METRICS_PORT: z.optional(port),
  BACKUP_URL: text,
  BACKUP_KEY: z.optional(z.string().check(z.minLength(32, 'needs at least 32 characters'))),
  S3_ACCESS_KEY_ID: text,
  S3_SECRET_ACCESS_KEY: text,
  S3_SECRET_ACCESS_KEY_FILE: text,
  BACKUP_KEY_FILE: text,
  METRICS_TOKEN_FILE: text,
  CDN_PURGE_URL: z.optional(z.url({ protocol: /^https?$/, error: 'must begin with https:// or http://' })),
  CDN_PURGE_TOKEN: z.optional(z.string().check(z.minLength(16, 'needs at least 16 characters'))),
  CDN_PURGE_TOKEN_FILE: text,
  MEDIA_URL: text,
  LITESTREAM: flag,
  LITESTREAM_URL: text,
  LITESTREAM_PROGRAM: z._default(z.string(), 'litestream'),
  LITESTREAM_MACHINE: text,
  PUSH_HOSTS: listOf(isPushHost, 'has something that isn’t a host, such as push.example or *.push.example'),
  METRICS_TOKEN: z.optional(z.string().check(z.minLength(32, 'needs at least 32 characters'))),
  ...SiteEnvironment.shape,
})
export type Environment = z.infer<typeof Environment>

import * as v from 'valibot'
import { Email } from '#shared/contract/fields.ts'
import { canonicalAddress } from './http/client-address.ts'

const splitList = (text: string) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
const text = v.optional(v.string(), '')
const list = v.pipe(text, v.transform(splitList))
const listOf = (isOne: (item: string) => boolean, message: string) =>
  v.pipe(
    list,
    v.check((items) => items.every(isOne), message),
  )
const flag = v.pipe(
  v.optional(v.picklist(['0', '1'], 'is 0 or 1'), '0'),
  v.transform((value) => value === '1'),
)
const port = v.pipe(
  v.string(),
  v.trim(),
  v.regex(/^\d{1,5}$/, 'is no port'),
  v.transform(Number),
  v.maxValue(65_535, 'is no port: they end at 65535'),
)
/** With one of these protocols: without it, anything with a colon in it would pass, such as localhost:3000. */
const isAddress = (value: string, protocol: RegExp) => URL.canParse(value) && protocol.test(new URL(value).protocol)
const isWebAddress = (value: string) => isAddress(value, /^https?:$/)
const noWebAddress = 'is no address that begins with http:// or https://'
const webAddress = v.pipe(v.string(), v.check(isWebAddress, noWebAddress))
const optionalAddress = v.pipe(
  text,
  v.check((value) => value === '' || isWebAddress(value), noWebAddress),
)
const addressList = listOf(isWebAddress, 'holds something that is no address')
const addressOfEachCoach = v.pipe(
  addressList,
  v.check(
    ({ length }) => length === 0 || length === 2,
    'takes two addresses with a comma, one for each coach, or none',
  ),
)
/** An address without a path; slashes at its end are allowed. */
const isOrigin = (value: string) => {
  if (!URL.canParse(value)) return false
  const { origin, href } = new URL(value)
  return href.replace(/\/+$/, '') === origin
}
const isHost = (value: string) => /^(https:\/\/)?[a-z0-9-]+(\.[a-z0-9-]+)+(:\d+)?$/i.test(value)
/** What forms take, or its owner could not log in. */
const isEmail = (value: string) => v.is(Email, value)
/** An address, or a name and then the address in angle brackets; its host may be a bare name such as localhost. */
const isSender = (value: string) => /^([^<>\p{Cc}]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/u.test(value)
export const sampleSender = 'The Alliance <hello@alliance.test>'

/** Every option, as the environment holds it. */
export const Environment = v.object({
  NODE_ENV: v.optional(
    v.picklist(['development', 'test', 'production'], 'is development, test or production'),
    'development',
  ),
  PORT: v.optional(port, '3000'),
  HOST: v.optional(v.string(), '0.0.0.0'),
  DATA_DIR: v.optional(v.string(), 'data/local'),
  PUBLIC_URL: v.optional(
    v.pipe(webAddress, v.check(isOrigin, 'is more than http:// or https:// and a host: leave out the path')),
  ),
  TRUSTED_PROXIES: listOf((one) => canonicalAddress(one) !== null, 'holds something that is no IP address'),
  OWNER_EMAILS: v.optional(listOf(isEmail, 'holds something that is no e-mail address')),
  SIMPLE_ADMIN_EMAIL: v.optional(v.pipe(v.string(), v.check(isEmail, 'is no e-mail address'))),
  SESSION_SECRET: v.optional(v.pipe(v.string(), v.minLength(32, 'needs at least 32 characters'))),
  STRIPE_SECRET_KEY: text,
  STRIPE_PUBLISHABLE_KEY: text,
  STRIPE_WEBHOOK_SECRET: text,
  SANDBOX_PORT: v.optional(port),
  ALLOW_SANDBOX: flag,
  SMTP_URL: v.optional(
    v.pipe(
      v.string(),
      v.check((value) => isAddress(value, /^smtps?:$/), 'begins with smtp:// or smtps://'),
    ),
  ),
  MAIL_FROM: v.optional(
    v.pipe(v.string(), v.trim(), v.check(isSender, 'is no sender such as The Alliance <hello@alliance.example>')),
    sampleSender,
  ),
  SELLER_NAME: text,
  SELLER_ADDRESS: text,
  SELLER_VAT_NUMBER: text,
  SALES_PARTNER: v.optional(v.string(), 'Sales partner'),
  EMBED_HOSTS: listOf(isHost, 'holds something that is no host'),
  API_DOCS: flag,
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
})
export type Environment = v.InferOutput<typeof Environment>

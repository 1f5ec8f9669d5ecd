import type { OutsideLinks } from '#shared/contract/site-content.ts'
import { looksLikeVatNumber } from '#shared/rules/vat-number.ts'
import { Environment, sampleSender } from './environment.ts'
import { canonicalAddress } from './http/client-address.ts'

export type Settings = ReturnType<typeof toSettings>

/** Why the server does not start, in one line for the person at the terminal. */
export class StartupError extends Error {}

const sandboxKey = 'sk_test_sandbox'
const sandboxWebhookSecret = 'whsec_sandbox'
/** Stands on the invoices of a site that takes no real money; nobody can mistake it for a real business. */
const sampleSeller = {
  name: 'Sample Seller Ltd',
  address: '1 Sample Street, Sampletown, SA1 1AA',
  vatNumber: 'GB 000 0000 00',
}

const sellerOptions = { name: 'SELLER_NAME', address: 'SELLER_ADDRESS', vatNumber: 'SELLER_VAT_NUMBER' } as const

/** The seller's options that are not set, so that the sample stands in their place. */
export const sampleSellerOptions = ({ seller }: Settings): string[] =>
  (['name', 'address', 'vatNumber'] as const)
    .filter((part) => seller[part] === sampleSeller[part])
    .map((part) => sellerOptions[part])

/** The seller as set: what is a sample in it is left empty. */
export function withoutSampleSeller({ name, address, vatNumber }: Settings['seller']): Settings['seller'] {
  return {
    name: name === sampleSeller.name ? '' : name,
    address: address === sampleSeller.address ? '' : address,
    vatNumber: vatNumber === sampleSeller.vatNumber ? '' : vatNumber,
  }
}

export const isSampleSender = ({ mailFrom }: Settings): boolean => mailFrom === sampleSender

/** Reads the environment; an empty value counts as none. A wrong or unsafe one throws a `StartupError`. */
export function readSettings(environment: Record<string, string | undefined>): Settings {
  const filled = Object.entries(environment).filter(([, value]) => value?.trim())
  assertLiveKeySafe(Object.fromEntries(filled))
  const parsed = Environment.safeParse(Object.fromEntries(filled))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new StartupError(`${issue?.path.join('.') ?? 'environment'}: ${issue?.message ?? 'is not valid'}`)
  }
  const settings = toSettings(parsed.data)
  assertSafeCombination(settings, parsed.data)
  return settings
}

const isLiveKey = (key = '') => /^(sk|rk)_live_/.test(key.trim())

/** Checked before all else, as a mistake here moves real money: the other reasons can wait for the next start. */
function assertLiveKeySafe(env: Record<string, string | undefined>): void {
  if (!isLiveKey(env.STRIPE_SECRET_KEY)) return
  if (env.ALLOW_SANDBOX?.trim() === '1' || env.SANDBOX_PORT !== undefined) {
    throw new StartupError('A live STRIPE_SECRET_KEY and the sandbox (ALLOW_SANDBOX, SANDBOX_PORT) exclude each other.')
  }
  if (env.NODE_ENV?.trim() !== 'production') {
    throw new StartupError('A live STRIPE_SECRET_KEY needs NODE_ENV=production.')
  }
  if (!env.PUBLIC_URL?.trim().startsWith('https://')) {
    throw new StartupError('A live STRIPE_SECRET_KEY needs a PUBLIC_URL that begins with https://.')
  }
  if (!env.STRIPE_PUBLISHABLE_KEY?.trim().startsWith('pk_live_')) {
    throw new StartupError('A live STRIPE_SECRET_KEY needs the live STRIPE_PUBLISHABLE_KEY (pk_live_…) beside it.')
  }
}

function toSettings(env: Environment) {
  const isProduction = env.NODE_ENV === 'production'
  const isSandbox = env.STRIPE_SECRET_KEY === '' || env.STRIPE_SECRET_KEY === sandboxKey
  const isLive = isLiveKey(env.STRIPE_SECRET_KEY)
  const sandboxOwners = ['owner@alliance.test', 'owner2@alliance.test']
  // A demonstration in public has no seeded owners beside those that are named.
  const hasSandboxOwners = isSandbox && !(isProduction && env.OWNER_EMAILS !== undefined)
  const ownerEmails = env.OWNER_EMAILS?.map((email) => email.toLowerCase()) ?? (isSandbox ? sandboxOwners : [])
  return {
    isProduction,
    isLive,
    isSandbox,
    port: env.PORT,
    host: env.HOST,
    dataDir: env.DATA_DIR,
    publicUrl: new URL(env.PUBLIC_URL ?? `http://localhost:${env.PORT}`).origin,
    trustedProxies: env.TRUSTED_PROXIES.flatMap((address) => canonicalAddress(address) ?? []),
    ownerEmails,
    simpleAdminEmail: env.SIMPLE_ADMIN_EMAIL?.toLowerCase() ?? (hasSandboxOwners ? sandboxOwners[0] : undefined),
    sessionSecret: env.SESSION_SECRET,
    stripe: {
      secretKey: isSandbox ? sandboxKey : env.STRIPE_SECRET_KEY,
      publishableKey: env.STRIPE_PUBLISHABLE_KEY || (isSandbox ? 'pk_test_sandbox' : ''),
      webhookSecret: env.STRIPE_WEBHOOK_SECRET || (isSandbox ? sandboxWebhookSecret : ''),
    },
    sandboxPort: env.SANDBOX_PORT ?? (env.PORT === 0 ? 0 : env.PORT + 1),
    smtpUrl: env.SMTP_URL,
    mailFrom: env.MAIL_FROM,
    seller: {
      name: env.SELLER_NAME || (isLive ? '' : sampleSeller.name),
      address: env.SELLER_ADDRESS || (isLive ? '' : sampleSeller.address),
      vatNumber: env.SELLER_VAT_NUMBER || (isLive ? '' : sampleSeller.vatNumber),
    },
    salesPartner: env.SALES_PARTNER,
    embedHosts: env.EMBED_HOSTS,
    showsApiDocs: !isProduction || env.API_DOCS,
    links: outsideLinks(env),
    measuring: { analytics: env.ANALYTICS_URL, pixel: env.PIXEL_URL },
  }
}

/** Addresses of other sites; where one is empty, the page shows that it is not configured. */
const outsideLinks = (env: Environment): OutsideLinks => ({
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

function assertSafeCombination(settings: Settings, env: Environment) {
  const { isLive, isProduction, isSandbox, seller } = settings
  if (isProduction && isSandbox && !env.ALLOW_SANDBOX) {
    throw new StartupError(
      'The payment sandbox does not run in production: set STRIPE_SECRET_KEY, or ALLOW_SANDBOX=1 for a demonstration.',
    )
  }
  if (isLive && !(seller.name && seller.address && seller.vatNumber)) {
    throw new StartupError(
      'A live STRIPE_SECRET_KEY needs SELLER_NAME, SELLER_ADDRESS and SELLER_VAT_NUMBER: every charge owes a VAT invoice.',
    )
  }
  if (isLive && !looksLikeVatNumber(seller.vatNumber)) {
    throw new StartupError('SELLER_VAT_NUMBER is no UK VAT number: nine digits, such as GB 123 4567 89.')
  }
  if (isProduction && !settings.sessionSecret) {
    throw new StartupError('SESSION_SECRET must be set in production: at least 32 random characters.')
  }
  if (!isSandbox && !(settings.stripe.publishableKey && settings.stripe.webhookSecret)) {
    throw new StartupError('STRIPE_SECRET_KEY needs STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET beside it.')
  }
  if (isSandbox && settings.port !== 0 && (settings.sandboxPort === settings.port || settings.sandboxPort > 65535)) {
    throw new StartupError('SANDBOX_PORT must be another port than PORT, and at most 65535.')
  }
}

import type { Context } from '#api/context.ts'
import { contentOf } from '#api/site/content.ts'
import { embeddedOrigins, originsOf, type SiteSettings, siteSettings } from '#api/site/settings.ts'
import type { PageTemplate } from '#shared/contract/page.ts'
import { isVoicePath } from '#shared/rules/voice-path.ts'
import type { BrandColours } from '#shared/values/brand-colours.ts'
import { inBrandColours, shippedColours } from '#shared/values/brand-colours.ts'

/** Hashes of the public pages' small inline script and style. Nothing else inline may run. */
type InlineHashes = { script: readonly string[]; style: readonly string[] }

/** Builds every response's headers, again whenever the owners change the settings behind them. */
export function securityHeaders(
  ctx: Context,
  { hashes: { script, style }, document }: Pick<PageTemplate, 'hashes' | 'document'>,
): () => Record<string, string> {
  let made: { site: SiteSettings; colours: BrandColours; headers: Record<string, string> } | undefined
  return () => {
    const site = siteSettings(ctx)
    const colours = (document === '' ? undefined : brandColours(ctx)) ?? made?.colours ?? shippedColours
    if (made?.site !== site || made.colours !== colours) {
      const branded = inBrandColours(document, colours)
      const hashes = { script, style: branded === document ? style : styleHashes(branded) }
      made = { site, colours, headers: headersOf(ctx, site, hashes) }
    }
    return made.headers
  }
}

/** Undefined if they can't be read: even the response that says the database is gone needs headers. */
function brandColours(ctx: Context): BrandColours | undefined {
  try {
    return contentOf(ctx).read().site.brand.colours
  } catch (error) {
    ctx.log.error('brand not read', { reason: String(error) })
    return undefined
  }
}

const styleHashes = (document: string): string[] =>
  [...document.matchAll(/<style>([\s\S]*?)<\/style>/g)].map(
    ([, style = '']) => `'sha256-${new Bun.CryptoHasher('sha256').update(style).digest('base64')}'`,
  )

/** The policy for an owner's preview: with the draft's colours, and framed by this site if needed. */
export function previewPolicy(policy: string, document: string, isFramed: boolean): string {
  const missing = styleHashes(document).filter((hash) => !policy.includes(hash))
  const styled = policy.replace(/style-src [^;]*/, (rule) => [rule, ...missing].join(' '))
  return isFramed ? styled.replace("frame-ancestors 'none'", "frame-ancestors 'self'") : styled
}

/** The policy of a page rendered on the server. Only these may load analytics: never the login page or anything behind it. */
export function measuredPolicy(policy: string, { measuring }: Pick<SiteSettings, 'measuring'>): string {
  const origins = originsOf(Object.values(measuring))
  return policy.replace(/\b(?:script|img|connect)-src [^;]*/g, (rule) => [rule, ...origins].join(' '))
}

/** The browser's features, for a document at this path. */
export const featuresAt = (path: string, policy: string): string =>
  isVoicePath(path) ? policy.replace('microphone=()', 'microphone=(self)') : policy

function headersOf(ctx: Context, site: SiteSettings, hashes: InlineHashes): Record<string, string> {
  return {
    'content-security-policy': contentSecurityPolicy(ctx, site, hashes),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'strict-origin',
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': `camera=(), microphone=(), geolocation=(), payment=(${payersOf(ctx)})`,
    ...(ctx.settings.publicUrl.startsWith('https:')
      ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }
      : {}),
  }
}

/** Stripe's card form. The sandbox has its own and needs none of this. */
const cardForm = {
  script: 'https://js.stripe.com',
  frame: 'https://js.stripe.com https://hooks.stripe.com',
  connect: 'https://api.stripe.com',
}
const payersOf = ({ settings }: Context) => (settings.isSandbox ? 'self' : `self "${cardForm.script}"`)

const noCardForm: typeof cardForm = { script: '', frame: '', connect: '' }

function contentSecurityPolicy({ settings }: Context, site: SiteSettings, hashes: InlineHashes): string {
  const card = settings.isSandbox ? noCardForm : cardForm
  const policy = [
    `default-src 'self'`,
    `script-src 'self' ${hashes.script.join(' ')} ${card.script}`,
    `style-src 'self' ${hashes.style.join(' ')}`,
    // What a page has made itself: a photo before it's sent, a voice note that's on the phone.
    `img-src 'self' data: blob:`,
    `font-src 'self'`,
    `media-src 'self' blob:`,
    `connect-src 'self' ${card.connect}`,
    `frame-src 'self' ${embeddedOrigins(site).join(' ')} ${card.frame}`,
    `worker-src 'self'`,
    `manifest-src 'self'`,
    `object-src 'none'`,
    `base-uri 'none'`,
    `form-action 'self'`,
    `frame-ancestors 'none'`,
  ]
  return policy.map((rule) => rule.replace(/\s+/g, ' ').trim()).join('; ')
}

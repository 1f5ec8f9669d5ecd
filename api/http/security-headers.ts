import type { Context } from '#api/context.ts'
import { contentOf } from '#api/features/content/service.ts'
import { type SiteSettings, siteSettings } from '#api/features/settings/service.ts'
import type { PageTemplate } from '#shared/contract/page.ts'
import type { OutsideLinks } from '#shared/contract/site-content.ts'
import { type BrandColours, inBrandColours, shippedColours } from '#shared/rules/brand-colours.ts'
import { videoHosts } from '#shared/rules/video.ts'

/** Of the small inline script and style that public pages carry; nothing else inline runs. */
type InlineHashes = { script: readonly string[]; style: readonly string[] }

/** Makes the headers of every response, anew where the owners have changed what they follow from. */
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

/** Undefined where they cannot be read: each response needs its headers, also the one that says that the database is gone. */
function brandColours(ctx: Context): BrandColours | undefined {
  try {
    return contentOf(ctx).read().site.brand.colours
  } catch (error) {
    ctx.log.error('brand not read', { reason: String(error) })
    return undefined
  }
}

/** Of the document's inline styles, as the content policy names them. */
const styleHashes = (document: string): string[] =>
  [...document.matchAll(/<style>([\s\S]*?)<\/style>/g)].map(
    ([, style = '']) => `'sha256-${new Bun.CryptoHasher('sha256').update(style).digest('base64')}'`,
  )

/** The policy of a page that an owner looks at: with the colours of the draft, and framed by this site where it is to be. */
export function previewPolicy(policy: string, document: string, isFramed: boolean): string {
  const missing = styleHashes(document).filter((hash) => !policy.includes(hash))
  const styled = policy.replace(/style-src [^;]*/, (rule) => [rule, ...missing].join(' '))
  return isFramed ? styled.replace("frame-ancestors 'none'", "frame-ancestors 'self'") : styled
}

/**
 * The policy of a page that the server renders whole. Scripts that measure load only after the visitor agrees; which ones may
 * load is decided here, and nowhere but on such a page: where people log in, and behind it, none may.
 */
export function measuredPolicy(policy: string, { measuring }: Pick<SiteSettings, 'measuring'>): string {
  const origins = originsOf(Object.values(measuring))
  return policy.replace(/\b(?:script|img|connect)-src [^;]*/g, (rule) => [rule, ...origins].join(' '))
}

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

/** Where the provider's card form comes from; the sandbox has its own and needs none of these. */
const cardForm = {
  script: 'https://js.stripe.com',
  frame: 'https://js.stripe.com https://hooks.stripe.com',
  connect: 'https://api.stripe.com',
}
/** Who may ask for a wallet: the provider's card form shows it inside its own frame. */
const payersOf = ({ settings }: Context) => (settings.isSandbox ? 'self' : `self "${cardForm.script}"`)

const noCardForm: typeof cardForm = { script: '', frame: '', connect: '' }

function contentSecurityPolicy({ settings }: Context, site: SiteSettings, hashes: InlineHashes): string {
  const card = settings.isSandbox ? noCardForm : cardForm
  const policy = [
    `default-src 'self'`,
    `script-src 'self' ${hashes.script.join(' ')} ${card.script}`,
    `style-src 'self' ${hashes.style.join(' ')}`,
    `img-src 'self' data:`,
    `font-src 'self'`,
    `media-src 'self'`,
    `connect-src 'self' ${card.connect}`,
    `frame-src 'self' ${framedOrigins(site).join(' ')} ${card.frame}`,
    `worker-src 'self'`,
    `manifest-src 'self'`,
    `object-src 'none'`,
    `base-uri 'none'`,
    `form-action 'self'`,
    `frame-ancestors 'none'`,
  ]
  return policy.map((rule) => rule.replace(/\s+/g, ' ').trim()).join('; ')
}

/** The only sites whose pages and players may stand inside ours. */
export const framedOrigins = ({ embedHosts, links }: SiteSettings): string[] => [
  ...videoHosts,
  ...originsOf([...embedHosts.map((host) => (host.includes('://') ? host : `https://${host}`)), ...framedLinks(links)]),
]

/** Each origin once; what is no address is left out. */
const originsOf = (addresses: readonly string[]): string[] => [
  ...new Set(addresses.filter((address) => URL.canParse(address)).map((address) => new URL(address).origin)),
]

/** Those that a page shows inside itself; the others are links, which open in a tab of their own. */
const framedLinks = (links: OutsideLinks): string[] => [
  ...[links.booking, ...links.coachCalls, ...links.catchUps],
  ...[links.podcastPlayer, links.transformationVideo],
  ...[links.salesCall, links.salesPricing, links.salesPayment],
  ...[links.salesDemoVideo, links.salesCaseVideo, ...links.salesTrainingVideos],
]

import type { Settings } from '#api/settings.ts'
import type { SiteSettings } from '#api/site/settings.ts'

/** The address in `Name <address>`, or the whole text. */
const addressIn = (sender: string): string => /<([^<>]+)>\s*$/.exec(sender)?.[1] ?? sender

/** What Apple takes: a real address without spaces, at a host that could exist. */
const isTaken = (address: string): boolean =>
  /^[^\s<>@]+@[^\s<>@]+\.[^\s<>@]+$/.test(address) && !/\.(test|localhost|local|invalid)$/i.test(address)

type SubjectOf = { settings: Pick<Settings, 'mailFrom' | 'publicUrl'>; site: Pick<SiteSettings, 'firm'> }

/** Whom a push service may write to about our messages: the site's contact address. Null if it has none that they'd take. */
export function pushSubject({ settings, site }: SubjectOf): string | null {
  const address = [site.firm.email, addressIn(settings.mailFrom)].find(isTaken)
  if (address !== undefined) return `mailto:${address}`
  const { protocol, hostname, origin } = new URL(settings.publicUrl)
  return protocol === 'https:' && hostname.includes('.') && !/^[\d.]+$/.test(hostname) ? origin : null
}

/** Only the sandbox's own push service hears of it. */
export const sampleSubject = 'mailto:hello@example.com'

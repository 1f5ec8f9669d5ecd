import type { Context } from '#api/context.ts'
import { findUnfinished, refusalsOfLiveStart } from '#api/features/site/content/check-service.ts'
import { isSampleSender } from '#api/settings.ts'
import { contentOf } from '#api/site/content.ts'
import { sellerProblem, siteSettings } from '#api/site/settings.ts'
import { findTools } from '#api/video-files/tools.ts'
import type { UnfinishedEntry } from '#shared/contract/content-check.ts'
import { type SetupItem, type SetupName, type SetupState, setupNames } from '#shared/contract/setup.ts'
import { settingOption } from '#shared/contract/site-settings.ts'
import { plural } from '#shared/rules/plural.ts'
import { hasVatCheckDigits } from '#shared/rules/vat-number.ts'
import { firstOwnVideo, lastOwnPost } from './queries.ts'

type Found = Omit<SetupItem, 'name'>

const done = (says: string): Found => ({ state: 'done', says })
const sample = (says: string): Found => ({ state: 'sample', says })
const unset = (says: string): Found => ({ state: 'unset', says })
const optional = (says: string): Found => ({ state: 'optional', says })

type Read = { unfinished: readonly UnfinishedEntry[] }

export function readSetup(ctx: Context): SetupState {
  const read = { unfinished: findUnfinished(ctx) }
  return {
    items: setupNames.map((name) => ({ name, ...finders[name](ctx, read) })),
    refusals: refusalsOfLiveStart(ctx, read.unfinished),
    ...read,
    isLive: ctx.settings.isLive,
  }
}

const labelsOf = (names: readonly string[]) => names.join(', ')

const finders: Record<SetupName, (ctx: Context, read: Read) => Found> = {
  seller: (ctx) => {
    const site = siteSettings(ctx)
    const missing = site.sampleSellerOptions.map((name) => settingOption(name).label)
    if (missing.length > 0) return unset(`Not set: ${labelsOf(missing)}. They go on every VAT invoice.`)
    if (sellerProblem(site) !== null) return unset('That’s not a UK VAT number.')
    return hasVatCheckDigits(site.seller.vatNumber)
      ? done(`Your invoices are from ${site.seller.name}.`)
      : unset('Your VAT number looks mistyped. Compare it with your certificate.')
  },
  legal: (ctx) => {
    const blanks = siteSettings(ctx).blankFirmOptions.map((name) => settingOption(name).label)
    if (blanks.length > 0) return unset(`The legal pages have gaps: ${labelsOf(blanks)}.`)
    return done('The legal pages are complete.')
  },
  brand: (ctx, { unfinished }) => {
    const { brand, look } = contentOf(ctx).read().site
    if (look === '') return sample('You’re still using our sample name, logo and colours.')
    const former = unfinished.filter(({ kind }) => kind === 'name').length
    return former > 0
      ? sample(`The site is called ${brand.name}. The sample name is still in ${plural(former, 'text')}, listed below.`)
      : done(`The site is called ${brand.name}.`)
  },
  contacts: (_ctx, { unfinished }) => {
    const samples = unfinished.filter(({ kind, file }) => kind === 'contact' && file !== 'settings')
    const [first] = samples
    if (first === undefined) return done('All the contacts on the site are yours.')
    const page = /pages\/([\w-]+)\.json$/.exec(first.file)?.[1]
    const where = page === undefined ? '' : ` (under Content, on the page “${page}”)`
    return sample(
      samples.length === 1
        ? `One contact is still a sample: ${first.says}${where}.`
        : `${samples.length} contacts are still samples, such as ${first.says}${where}.`,
    )
  },
  mail: ({ settings }) => {
    if (settings.smtpUrl === undefined) {
      return settings.isSandbox
        ? sample('No mail server is set, so email stays on this machine.')
        : unset('No mail server is set, so no email goes out.')
    }
    return isSampleSender(settings)
      ? sample('The sender is still the sample address.')
      : done(`Email comes from ${settings.mailFrom}.`)
  },
  stripe: ({ settings }) => {
    if (settings.isSandbox) return sample('The payment sandbox: no money moves.')
    return settings.isLive ? done('A live key: real money moves.') : sample('A test key: no money moves.')
  },
  'stripe-mails': (ctx) => {
    if (ctx.settings.isSandbox) return optional('The payment sandbox sends no emails of its own.')
    return siteSettings(ctx).stripeMailsAreOff
      ? done('Only we email members before they renew.')
      : unset('Does Stripe email members before they renew? We do, so switch its emails off.')
  },
  calendars: (_ctx, { unfinished }) => {
    const names = ['BOOKING_URL', 'COACH_CALL_URLS', 'CATCH_UP_URLS'] as const
    const missing = names.filter((name) => unfinished.some(({ kind, entry }) => kind === 'unset' && entry === name))
    return missing.length > 0
      ? unset(`Nothing can be booked yet for: ${labelsOf(missing.map((name) => settingOption(name).label))}.`)
      : done('Every kind of call can be booked.')
  },
  community: (ctx) => {
    if (siteSettings(ctx).links.community !== '') return done('Members can find the community.')
    return ctx.settings.isSandbox
      ? sample('No community link is set, so members see our sample page.')
      : unset('No community link is set, so members don’t see its card.')
  },
  video: (ctx) => {
    const video = firstOwnVideo(ctx)
    return video === undefined
      ? unset('You haven’t published a video of your own.')
      : done(`“${video.title}” is your first video.`)
  },
  post: (ctx) => {
    const post = lastOwnPost(ctx)
    return post === undefined
      ? unset('You haven’t published a post of your own.')
      : done(`“${post.title}” is on the blog.`)
  },
  phones: (ctx) => {
    const { isThere, says } = ffmpegFound(ctx)
    return isThere ? done(says) : optional(says)
  },
}

/** For owners who may not run the server themselves. */
export const ffmpegFound = (ctx: Context) =>
  findTools(ctx) === null
    ? {
        isThere: false,
        says: 'We can’t make light videos for phones: ffmpeg isn’t on the server. Ask whoever hosts your site to install it, or upload your own.',
      }
    : { isThere: true, says: 'We make a light video and audio of each video you upload.' }

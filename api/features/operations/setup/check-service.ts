import type { Context } from '#api/context.ts'
import { isStoredPicture, logoPng } from '#api/features/media/photograph-service.ts'
import { emailOfOwner } from '#api/features/site/content/queries.ts'
import { findHostedVideo } from '#api/features/videos/host-service.ts'
import type { Owner } from '#api/identity/person.ts'
import { queueMessage } from '#api/mail/outbox.ts'
import { findSmtpProblem } from '#api/mail/smtp.ts'
import { paragraph } from '#api/mail/templates/layout.ts'
import { requestOutside } from '#api/outside-request.ts'
import { webhookPath } from '#api/serving/paths.ts'
import { contentOf } from '#api/site/content.ts'
import { siteSettings } from '#api/site/settings.ts'
import { hasWebhookEndpoint } from '#api/stripe/webhook-endpoints.ts'
import { legalPages } from '#shared/contract/admin-content.ts'
import type { SetupCheck, SetupName } from '#shared/contract/setup.ts'
import { switchOffSteps } from '#shared/rules/adoption-texts.ts'
import { hasVatCheckDigits, isVatNumberShaped } from '#shared/rules/vat-number.ts'
import { problemOfAccent, problemOfLink } from '#shared/values/brand-colours.ts'
import { firstOwnVideo, lastOwnPost } from './queries.ts'
import { ffmpegFound } from './service.ts'

type Finding = SetupCheck['findings'][number]

const fine = (says: string): Finding => ({ isFine: true, says })
const wrong = (says: string): Finding => ({ isFine: false, says })

/** Tests what's set up: opens each address, uses each key and mails the requesting owner. Changes nothing else. */
export const checkSetup = async (ctx: Context, owner: Owner, name: SetupName): Promise<SetupCheck> => ({
  findings: await checks[name](ctx, owner),
})

const checks: Record<SetupName, (ctx: Context, owner: Owner) => Finding[] | Promise<Finding[]>> = {
  seller: (ctx) => {
    const { firm, sampleSellerOptions } = siteSettings(ctx)
    if (sampleSellerOptions.length > 0) return [wrong('Your invoices still have sample details on them.')]
    if (!isVatNumberShaped(firm.vatNumber)) return [wrong('That’s not a UK VAT number, such as GB 123 4567 82.')]
    return hasVatCheckDigits(firm.vatNumber)
      ? [fine('The VAT number looks right.')]
      : [wrong('The VAT number looks mistyped. Compare it with your certificate.')]
  },
  legal: checkLegalPages,
  brand: checkBrand,
  contacts: checkContacts,
  mail: checkMail,
  stripe: checkKeys,
  'stripe-mails': (ctx) =>
    siteSettings(ctx).stripeMailsAreOff
      ? [fine('You’ve said Stripe’s renewal emails are off. We can’t read that switch.')]
      : switchOffSteps.map(wrong),
  calendars: checkCalendars,
  community: async (ctx) => {
    const { community } = siteSettings(ctx).links
    return community === '' ? [wrong('No address is set.')] : [await findingOf(ctx, 'The community', community)]
  },
  video: checkVideo,
  phones: (ctx) => {
    const { isThere, says } = ffmpegFound(ctx)
    return [isThere ? fine(says) : wrong(says)]
  },
  post: (ctx) => {
    const post = lastOwnPost(ctx)
    return post === undefined ? [wrong('You haven’t got one yet.')] : [fine(`Visitors read it at /blog/${post.slug}.`)]
  },
}

async function findingOf(ctx: Context, what: string, address: string): Promise<Finding> {
  const response = await requestOutside(address, ctx.outside)
  if ('problem' in response) return wrong(`${what}: ${response.problem}`)
  return response.status < 400 ? fine(`${what} opens.`) : wrong(`${what} gives error ${response.status}.`)
}

/** A blank is text in square brackets with no URL after it. */
function checkLegalPages(ctx: Context): Finding[] {
  const { pages } = contentOf(ctx).read()
  return legalPages.map((page) => {
    const blanks = new Set(JSON.stringify(pages[page]).match(/\[[a-zA-Z][^\][{"]*\](?!\()/g))
    return blanks.size === 0
      ? fine(`${pages[page].title}: complete, as of ${pages[page].updated}.`)
      : wrong(`${pages[page].title}: ${[...blanks].join(', ')}.`)
  })
}

async function checkBrand(ctx: Context): Promise<Finding[]> {
  const { colours, logo } = contentOf(ctx).read().site.brand
  const problems = [problemOfAccent(colours.accent), problemOfLink(colours.link)].filter((one) => one !== null)
  const found = problems.length === 0 ? [fine('Both colours are readable, by day and by night.')] : problems.map(wrong)
  if (!isStoredPicture(logo)) return found
  const isThere = await logoPng(ctx, logo).then(
    () => true,
    () => false,
  )
  return [...found, isThere ? fine('The logo works.') : wrong('The logo’s file is gone. Choose it again.')]
}

async function checkContacts(ctx: Context): Promise<Finding[]> {
  const { brand, coaches } = contentOf(ctx).read().site
  const messengers = [...coaches.map(({ name, chat }) => [name, chat] as const), ['The firm', brand.messenger] as const]
  const found = messengers.filter(([, address]) => address !== '')
  const unsaid = brand.phone === '' && brand.email === '' ? [wrong('You haven’t set a phone number or email.')] : []
  return [...unsaid, ...(await Promise.all(found.map(([name, address]) => chatFinding(ctx, name, address))))]
}

/** WhatsApp redirects every visitor to its app, so we can only check the number. */
async function chatFinding(ctx: Context, name: string, address: string): Promise<Finding> {
  const { hostname, pathname } = new URL(address)
  if (hostname !== 'wa.me') return findingOf(ctx, `${name}’s chat`, address)
  return /^\/44[1-9]\d{9}$/.test(pathname)
    ? fine(`${name}’s WhatsApp number is a UK number. Press it once on the contact page to check.`)
    : wrong(`${name}’s WhatsApp number isn’t a UK one. It should start with 44, without the 0.`)
}

async function checkMail(ctx: Context, owner: Owner): Promise<Finding[]> {
  const { smtpUrl, isSandbox } = ctx.settings
  const problem = smtpUrl === undefined ? null : await findSmtpProblem(smtpUrl)
  const server =
    smtpUrl === undefined
      ? isSandbox
        ? fine('Without a mail server, email stays on this machine.')
        : wrong('No mail server is set, so no email goes out.')
      : problem === null
        ? fine('We can log in to the mail server.')
        : wrong(`We can’t log in to the mail server: ${problem}`)
  const to = emailOfOwner(ctx, owner.userId)
  if (to === null) return [server]
  const blocks = [paragraph('You asked for this test from the setup checklist. It got through.')]
  const message = { subject: 'A test of your email', heading: 'Email works', blocks }
  queueMessage(ctx, { cause: `test:${ctx.newId()}`, to, userId: owner.userId }, message)
  return [server, fine(`A test email is on its way to ${to}.`)]
}

async function checkKeys(ctx: Context): Promise<Finding[]> {
  const { isSandbox, isLive, publicUrl, stripe } = ctx.settings
  const found = await keyFinding(ctx)
  if (isSandbox || !found.isFine) return [found]
  const mode = isLive ? 'pk_live_' : 'pk_test_'
  const isPair = stripe.publishableKey.startsWith(mode)
  const url = `${publicUrl}${webhookPath}`
  const hears = await hasWebhookEndpoint(ctx, url).catch(() => false)
  return [
    found,
    isPair
      ? fine('Both keys match.')
      : wrong(`The publishable key doesn’t match the secret one. It should start with ${mode}.`),
    hears ? fine('Stripe sends us events.') : wrong(`Add a webhook endpoint for ${url} in Stripe.`),
  ]
}

async function keyFinding(ctx: Context): Promise<Finding> {
  try {
    const { id } = await ctx.stripe.accounts.retrieveCurrent()
    return fine(
      ctx.settings.isSandbox ? 'The payment sandbox is working.' : `The secret key works. It’s for account ${id}.`,
    )
  } catch (error) {
    return wrong(`The secret key didn’t work: ${error instanceof Error ? error.message : String(error)}`)
  }
}

async function checkCalendars(ctx: Context): Promise<Finding[]> {
  const { booking, coachCalls, catchUps } = siteSettings(ctx).links
  const addresses = [
    ...(booking === '' ? [] : [['Free calls', booking] as const]),
    ...coachCalls.map((address, at) => [`Coaching calls ${at + 1}`, address] as const),
    ...catchUps.map((address, at) => [`Catch-up calls ${at + 1}`, address] as const),
  ]
  if (addresses.length === 0) return [fine('Calls are booked in the site’s own calendar. Press “See it” to try.')]
  return Promise.all(addresses.map(([what, address]) => findingOf(ctx, what, address)))
}

async function checkVideo(ctx: Context): Promise<Finding[]> {
  const video = firstOwnVideo(ctx)
  if (video === undefined) return [wrong('You haven’t got one yet.')]
  if (video.videoType === 'embed') return [await findingOf(ctx, 'The video’s page', video.embedUrl ?? '')]
  try {
    const { isAnswered } = await findHostedVideo(ctx, video)
    return [isAnswered ? fine('It’s on the video host.') : fine('We can’t check this host. Press “See it” to play it.')]
  } catch (error) {
    return [wrong(error instanceof Error ? error.message : String(error))]
  }
}

import { findSmtpProblem } from '#api/mail/smtp.ts'
import { type UnfinishedEntry, unfinishedPlace } from '#shared/contract/content-check.ts'
import { switchOffSteps } from '#shared/rules/adoption-texts.ts'
import { plural } from '#shared/rules/plural.ts'
import { isReadyForLive, readinessLine } from '#shared/rules/readiness.ts'
import { hasVatCheckDigits } from '#shared/rules/vat-number.ts'
import { type Check, firstFew, named, ok, runAsyncCheck, shows, unset, warning } from './check-rules.ts'

type MailSettings = { isSandbox: boolean; smtpUrl: string | undefined; isSampleSender: boolean }

export const checkMailServer = (settings: MailSettings): Promise<Check> =>
  runAsyncCheck('mail server', () => tryMailServer(settings))

async function tryMailServer({ isSandbox, smtpUrl, isSampleSender }: MailSettings): Promise<Check> {
  const name = 'mail server'
  if (smtpUrl === undefined) {
    return isSandbox
      ? unset(name, 'None: email stays on this machine, at /sandbox/mail.')
      : warning(name, 'SMTP_URL is not set, so no email goes out.')
  }
  const problem = await findSmtpProblem(smtpUrl)
  if (problem !== null) return warning(name, `SMTP_URL doesn’t work from this machine: ${problem}`)
  if (isSampleSender) return warning(name, 'Login succeeded. MAIL_FROM is still the sample address.')
  return ok(name, 'Login succeeded.')
}

type SellerSettings = { isSandbox: boolean; vatNumber: string; samples: readonly string[] }

export function checkSeller({ isSandbox, vatNumber, samples }: SellerSettings): Check {
  const name = 'seller'
  if (samples.length === 3 && isSandbox) return unset(name, 'Invoices name a sample seller. No money moves.')
  if (samples.length > 0) {
    const message = `VAT invoices name a sample seller. Set ${firstFew(samples)} before you go live.`
    return warning(name, message, shows('settings check'))
  }
  if (!hasVatCheckDigits(vatNumber)) {
    const message = 'SELLER_VAT_NUMBER looks mistyped: its check digits are wrong. Compare it with your certificate.'
    return warning('VAT number', message, shows('settings check'))
  }
  return ok(name, 'Name, address and VAT number are on each VAT invoice.')
}

type ProxySettings = { isProduction: boolean; publicUrl: string; trustedProxies: readonly string[] }

/** `unknown`: neighbours that sent requests on for others, though we don't trust them. This server does no https itself. */
export function checkProxies(settings: ProxySettings, unknown: readonly string[]): Check {
  const { isProduction, publicUrl, trustedProxies: trusted } = settings
  const name = 'proxies'
  const others = unknown.filter((address) => !trusted.includes(address))
  const consequence = 'so all visitors who come that way count as one, and share one set of limits'
  if (others.length > 0) {
    const from = `Requests come through ${firstFew(others)}, which TRUSTED_PROXIES doesn’t name, ${consequence}.`
    return warning(name, `${from} If that’s your proxy, add it to .env and restart the site.`)
  }
  if (!isProduction || !publicUrl.startsWith('https://')) return unset(name, 'Only a public site needs one.')
  if (trusted.length > 0) return ok(name, `We can tell visitors apart behind ${firstFew(trusted)}.`)
  const sentence = `TRUSTED_PROXIES isn’t set, ${consequence}. Put your proxy’s address there and restart the site.`
  return warning(name, sentence)
}

/** What the site still says that isn’t the owners’ own. Sample claims are merely not shown. */
export function checkContent(isSandbox: boolean, unfinished: readonly UnfinishedEntry[]): Check {
  const name = 'content'
  const of = (...kinds: UnfinishedEntry['kind'][]) => unfinished.filter(({ kind }) => kinds.includes(kind))
  const [unfit, empty] = [of('unfit'), of('unset')]
  const isReady = isReadyForLive(unfinished)
  const faults = unfit.map(
    (one) => `${unfinishedPlace(one)} doesn’t fit, so the page shows the file’s own: ${one.says}.`,
  )
  const said = [
    firstFew(faults),
    !isReady && readinessLine(unfinished),
    empty.length > 0 && `${plural(empty.length, 'link')} not set.`,
  ].filter(Boolean)
  if (said.length === 0) return ok(name, 'Everything is filled in.')
  const isFine = faults.length === 0 && (isSandbox || isReady)
  return isFine
    ? unset(name, `${said.join(' ')} See: alliance content check`)
    : warning(name, said.join(' '), shows('content check'))
}

/** No call reads the switch, so we ask until an owner has said so. */
export function checkStripeMails({ isSandbox, areOff }: { isSandbox: boolean; areOff: boolean }): Check {
  const name = 'Stripe’s emails'
  if (isSandbox) return unset(name, 'The sandbox sends none of its own.')
  if (areOff) return ok(name, 'Only we email members before they renew.')
  const sentence = `Are Stripe’s own renewal emails off? They’d double ours. ${switchOffSteps[2]}`
  const then = 'Then: alliance settings set STRIPE_MAILS_OFF yes'
  return warning(name, `${sentence} ${then}`, named(shows('settings set STRIPE_MAILS_OFF yes')))
}

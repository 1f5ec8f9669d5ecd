import { findSmtpProblem } from '#api/mail/smtp.ts'
import { type UnfinishedEntry, unfinishedPlace } from '#shared/contract/content-check.ts'
import { hasVatCheckDigits } from '#shared/rules/vat-number.ts'
import { type Check, firstFew, ok, runAsyncCheck, shows, warning } from './check-rules.ts'

type MailSettings = { isSandbox: boolean; smtpUrl: string | undefined; isSampleSender: boolean }

/** Connects to the mail server and logs in, without sending anything. */
export const checkMailServer = (settings: MailSettings): Promise<Check> =>
  runAsyncCheck('mail server', () => tryMailServer(settings))

async function tryMailServer({ isSandbox, smtpUrl, isSampleSender }: MailSettings): Promise<Check> {
  const name = 'mail server'
  if (smtpUrl === undefined) {
    return isSandbox
      ? ok(name, 'None: email stays on this machine, at /sandbox/mail.')
      : warning(name, 'SMTP_URL is not set: email waits in the outbox.')
  }
  const problem = await findSmtpProblem(smtpUrl)
  if (problem !== null) return warning(name, `SMTP_URL does not work from this machine: ${problem}`)
  if (isSampleSender) return warning(name, 'Login succeeded. MAIL_FROM is still the sample address.')
  return ok(name, 'Login succeeded.')
}

type SellerSettings = { isSandbox: boolean; vatNumber: string; samples: readonly string[] }

/** Whether the VAT invoices name the business that sells. */
export function checkSeller({ isSandbox, vatNumber, samples }: SellerSettings): Check {
  const name = 'seller'
  if (samples.length === 3 && isSandbox) return ok(name, 'Invoices name a sample seller: no money moves.')
  if (samples.length > 0) {
    const message = `VAT invoices name a sample seller. Set ${firstFew(samples)} before real money moves.`
    return warning(name, message, shows('settings check'))
  }
  if (!hasVatCheckDigits(vatNumber)) {
    const message = 'The check digits of SELLER_VAT_NUMBER are wrong. Compare it with your certificate.'
    return warning(name, message, shows('settings check'))
  }
  return ok(name, 'Name, address and VAT number are on each VAT invoice.')
}

/** What the site says that is nobody's yet: each contact and blank by its place; claims are merely not shown. */
export function checkContent(isSandbox: boolean, unfinished: readonly UnfinishedEntry[]): Check {
  const name = 'content'
  const of = (...kinds: UnfinishedEntry['kind'][]) => unfinished.filter(({ kind }) => kinds.includes(kind))
  const [unfit, samples, claims, unset] = [of('unfit'), of('contact', 'blank'), of('claim'), of('unset')]
  const places = (entries: readonly UnfinishedEntry[]) => entries.map(unfinishedPlace).join(', ')
  const faults = unfit.map((one) => `${unfinishedPlace(one)} does not fit, the page shows the file’s own: ${one.says}.`)
  const said = [
    ...faults,
    samples.length > 0 && `Before real money moves, fill in or replace ${places(samples)}.`,
    claims.length > 0 && `Samples, shown in the sandbox only: ${places(claims)}.`,
    unset.length > 0 && `Not set, so that no page leads there: ${places(unset)}.`,
  ].filter((sentence) => sentence !== false)
  if (said.length === 0) return ok(name, 'No sample, no blank and no gap is left.')
  const isFine = faults.length === 0 && (isSandbox || samples.length + claims.length === 0)
  return isFine ? ok(name, said.join(' ')) : warning(name, said.join(' '), shows('content check'))
}

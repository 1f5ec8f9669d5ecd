import { hasVatCheckDigits } from '#shared/rules/vat-number.ts'
import { type Check, checkedLater, listed, ok, warning } from './check.ts'

export type MailFacts = {
  isSandbox: boolean
  /** Whether there is a server to send by at all. */
  hasServer: boolean
  isSampleSender: boolean
  /** What keeps the server from taking mail from here, in its own words; null where it would take it. */
  askServer(): Promise<string | null>
}

/** Whether mail can leave. Asks the server, logs in, and sends nothing. */
export const checkMailServer = (facts: MailFacts): Promise<Check> =>
  checkedLater('mail server', () => askMailServer(facts))

async function askMailServer({ isSandbox, hasServer, isSampleSender, askServer }: MailFacts): Promise<Check> {
  const name = 'mail server'
  if (!hasServer && isSandbox) return ok(name, 'None: mails stay here, at /sandbox/mail.')
  if (!hasServer) return warning(name, 'SMTP_URL is not set: mail waits in the outbox.')
  const trouble = await askServer()
  if (trouble !== null) return warning(name, `SMTP_URL does not work from here: ${trouble}`)
  if (isSampleSender) return warning(name, 'It lets us in. MAIL_FROM is still the sample address.')
  return ok(name, 'It lets us in.')
}

export type SellerFacts = { isSandbox: boolean; vatNumber: string; samples: readonly string[] }

/** Whether the VAT invoices name the business that sells. */
export function checkSeller({ isSandbox, vatNumber, samples }: SellerFacts): Check {
  const name = 'seller'
  if (samples.length === 3 && isSandbox) return ok(name, 'A sample stands on the invoices: no money moves.')
  if (samples.length > 0) {
    return warning(name, `A sample stands on the VAT invoices. Set ${listed(samples)} before real money moves.`)
  }
  if (!hasVatCheckDigits(vatNumber)) {
    return warning(name, 'The check digits of SELLER_VAT_NUMBER are wrong: please compare it with your certificate.')
  }
  return ok(name, 'Name, address and VAT number are on each VAT invoice.')
}

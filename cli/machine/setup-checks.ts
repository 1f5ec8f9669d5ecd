import { Environment } from '#api/environment.ts'
import { errorMessage } from '#api/log.ts'
import { MailRefused } from '#api/mail/mailer.ts'
import { smtpMailer } from '#api/mail/smtp.ts'
import { parseStoreAddress } from '#api/object-store/store.ts'
import { readSettings } from '#api/settings.ts'

export type Values = Record<string, string>

export const optionNames: readonly string[] = Object.keys(Environment.shape)

const shapes: Readonly<Record<string, { safeParse(value: unknown): Parsed }>> = Environment.shape
type Parsed = { error?: { issues: readonly { message: string }[] } | undefined }

export function formatProblem(name: string, value: string): string | null {
  const isNoStore = name === 'BACKUP_URL' && parseStoreAddress(value, { accessKeyId: '', secretAccessKey: '' }) === null
  if (isNoStore) return 'must be s3://bucket/folder?endpoint=https://… .'
  return shapes[name]?.safeParse(value).error?.issues[0]?.message ?? null
}

/** The webhook secret is made last, but reading a key requires one. */
const withSecret = (values: Values): Values => ({ STRIPE_WEBHOOK_SECRET: 'whsec_to_come', ...values })

/** Why a server wouldn't start with these options; null if it would. */
export function settingsProblem(values: Values): string | null {
  try {
    readSettings(withSecret(values))
    return null
  } catch (error) {
    return errorMessage(error)
  }
}

const patienceMs = 10_000

export async function domainProblem({ PUBLIC_URL: url = '' }: Values): Promise<string | null> {
  if (!url.startsWith('https://')) return 'must start with https://.'
  const problem = await findHttpsProblem(url)
  return problem === null ? null : `${problem} Start the proxy first, or skip this check with --skip domain.`
}

/** Over https, as visitors come. Any response will do, since the site needn't be running yet. */
export async function findHttpsProblem(url: string): Promise<string | null> {
  try {
    await fetch(url, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(patienceMs) })
    return null
  } catch (error) {
    return `doesn’t respond over https (${errorMessage(error)}).`
  }
}

/** Lists what's at the second place for backups, as the nightly backup does. */
export async function backupsProblem(values: Values): Promise<string | null> {
  try {
    const { backupStore } = readSettings(withSecret(values))
    if (backupStore === null) return null
    const { openObjectStore } = await import('#api/object-store/store.ts')
    await openObjectStore(backupStore.address).list()
    return null
  } catch (error) {
    return `doesn’t work: ${errorMessage(error)}`
  }
}

/** Sends an email to the first owner through the mail server, as the site would. */
export async function mailProblem(values: Values): Promise<string | null> {
  const { PUBLIC_URL: site = '', OWNER_EMAILS: owners = '', SMTP_URL: url = '', MAIL_FROM: from = '' } = values
  const to = owners.split(',')[0]?.trim() ?? ''
  const text = `This email was sent by "alliance setup" of ${site}. Your mail server works.`
  try {
    await smtpMailer({ url, from }).send({
      messageId: `<${Bun.randomUUIDv7()}@${new URL(site).hostname}>`,
      to,
      replyTo: null,
      subject: 'A test of your mail server',
      text,
      html: `<p>${Bun.escapeHTML(text)}</p>`,
      attachment: null,
      logo: null,
      oneClickUrl: null,
      date: new Date(),
    })
    return null
  } catch (error) {
    const why = errorMessage(error)
    return error instanceof MailRefused ? `refused an email to ${to}: ${why}` : `doesn’t work: ${why}`
  }
}

async function providerOf(values: Values) {
  const { createStripe } = await import('#api/stripe/client.ts')
  return { stripe: createStripe(readSettings(withSecret(values))) }
}

export async function keyProblem(values: Values): Promise<string | null> {
  try {
    const { stripe } = await providerOf(values)
    const account = await stripe.accounts.retrieveCurrent()
    return account.charges_enabled ? null : `is of account ${account.id}, which can’t take payments yet.`
  } catch (error) {
    return `doesn’t work: ${errorMessage(error)}`
  }
}

/** Makes a webhook endpoint and returns its secret, or the reason it couldn't. */
export async function makeWebhookSecret(values: Values): Promise<{ secret: string } | { problem: string }> {
  const { createWebhookEndpoint, hasWebhookEndpoint } = await import('#api/stripe/webhook-endpoints.ts')
  const url = `${readSettings(withSecret(values)).publicUrl}/api/stripe/webhook`
  try {
    const provider = await providerOf(values)
    if (await hasWebhookEndpoint(provider, url)) {
      return { problem: `There’s already a webhook endpoint ${url}. Give its secret, or delete it at Stripe.` }
    }
    return { secret: await createWebhookEndpoint(provider, url) }
  } catch (error) {
    return { problem: `Couldn’t create the webhook endpoint: ${errorMessage(error)}` }
  }
}

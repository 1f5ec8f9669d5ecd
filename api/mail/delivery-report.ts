import type { Attachment } from 'postal-mime'
import * as v from 'valibot'
import { AppError } from '#api/errors.ts'
import { errorText } from '#api/log.ts'
import { Email } from '#shared/contract/fields.ts'
import type { BouncedAddress } from '#shared/contract/mail.ts'

/** What a mail server reports about one recipient (RFC 3464). */
export type ReportedRecipient = Pick<BouncedAddress, 'email' | 'status' | 'diagnostic'> & {
  /** The final and the original recipient, if the report names both. */
  addresses: string[]
  fate: Fate
}

/**
 * `final`: the address doesn't work. `policy`: the server refused this email from us, which says nothing about the address.
 * `given-up`: the server ran out of retries. `delayed`: still retrying. `delivered`: passed on.
 */
export type Fate = 'final' | 'policy' | 'given-up' | 'delayed' | 'delivered'

/** `messageId` is the bounced email's, with its brackets. Null if the report leaves out its headers. */
type DeliveryReport = { messageId: string | null; recipients: ReportedRecipient[] }

/** Parses a delivery report, as mail servers return it to the sender. */
export async function readDeliveryReport(mail: string): Promise<DeliveryReport> {
  const { default: PostalMime } = await import('postal-mime')
  const limits = { maxNestingDepth: 20, maxHeadersSize: 256 * 1024, forceRfc822Attachments: true }
  const parse = async (text: string | Uint8Array) => {
    try {
      return await PostalMime.parse(text, limits)
    } catch (error) {
      throw new AppError('invalid', `We couldn’t read this email: ${errorText(error)}`)
    }
  }
  const { attachments } = await parse(mail)
  const status = attachments.find(({ mimeType }) => statusTypes.test(mimeType))
  if (status === undefined) {
    throw new AppError('invalid', 'This isn’t a delivery report: it has no part of the type message/delivery-status.')
  }
  const recipients = recipientsOf(new TextDecoder().decode(bytesOf(status)))
  if (recipients.length === 0) throw new AppError('invalid', 'This delivery report names no address.')
  const returned = attachments.find(({ mimeType }) => returnedTypes.test(mimeType))
  const messageId = returned === undefined ? undefined : (await parse(bytesOf(returned))).messageId
  return { messageId: messageId ?? null, recipients }
}

const statusTypes = /^message\/(global-)?delivery-status$/
const returnedTypes = /^(message\/(rfc822|global|global-headers)|text\/rfc822-headers)$/

const bytesOf = ({ content }: Attachment): Uint8Array =>
  typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content)

/** Field groups separated by blank lines: first the report's, then one per recipient. */
function recipientsOf(status: string): ReportedRecipient[] {
  const groups = status
    .replace(/\r\n?/g, '\n')
    .split(/\n[ \t]*\n/)
    .filter((group) => group.trim() !== '')
  return groups.flatMap((group) => {
    const fields = fieldsOf(group)
    const [original, final] = [addressIn(fields.get('original-recipient')), addressIn(fields.get('final-recipient'))]
    const email = original ?? final
    if (email === null) return []
    const action = fields.get('action')?.toLowerCase() ?? ''
    const code = /^[245]\.\d{1,3}\.\d{1,3}\b/.exec(fields.get('status') ?? '')?.[0] ?? ''
    const diagnostic = errorText(fields.get('diagnostic-code')?.replace(/^[\w-]+\s*;/, '') ?? '') || null
    const addresses = [original, final].filter((address) => address !== null)
    return [{ email, addresses, status: code, diagnostic, fate: fateOf(action, code) }]
  })
}

/** By lower-case name. A line that begins with a space continues the one before. */
const fieldsOf = (group: string): Map<string, string> =>
  new Map(
    group
      .replace(/\n[ \t]+/g, ' ')
      .split('\n')
      .map((line): [string, string] => {
        const [name = '', ...value] = line.split(':')
        return [name.trim().toLowerCase(), value.join(':').trim()]
      }),
  )

function addressIn(field: string | undefined): string | null {
  const parsed = v.safeParse(Email, /^\s*(?:rfc822|utf-8)\s*;\s*<?([^<>\s]+)>?/i.exec(field ?? '')?.[1])
  return parsed.success ? parsed.output : null
}

/** By RFC 3463's classes. `x.7.x` is about security or policy. */
function fateOf(action: string, status: string): Fate {
  if (['delivered', 'relayed', 'expanded'].includes(action)) return 'delivered'
  if (action !== 'failed') return 'delayed'
  if (!status.startsWith('5.')) return 'given-up'
  return status.startsWith('5.7.') ? 'policy' : 'final'
}

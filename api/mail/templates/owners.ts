import { formatMoment } from '#shared/rules/london.ts'
import { type Message, paragraph } from './layout.ts'

type Invitation = { url: string; expiresAt: string; by: string | null }

export const ownerInvitationMail = ({ url, expiresAt, by }: Invitation): Message => ({
  subject: 'Help us run the site',
  heading: 'You’re invited to run the site',
  blocks: [
    paragraph(
      `${by ?? 'Our site’s host'} has invited you to be an owner. You’ll see every member, payment and invoice, and can do everything we can.`,
    ),
    { kind: 'button', label: 'Accept', url },
    paragraph(`The link works once, until ${formatMoment(expiresAt)}. Keep it to yourself.`),
    paragraph('Weren’t expecting this? Ignore it. Nothing happens until you accept.'),
  ],
})

type Change =
  | { kind: 'invited'; email: string; by: string }
  | { kind: 'accepted'; email: string }
  | { kind: 'removed'; email: string; by: string }

/** To every owner, so that none comes or goes unnoticed. */
export function ownersChangedMail(change: Change): Message {
  const { email } = change
  const said = {
    invited: {
      subject: 'An owner was invited',
      rest: `invited ${email} to be an owner. They have 48 hours to accept.`,
      undo: 'Not agreed between you? Cancel it under Settings, People, and set new passwords.',
    },
    accepted: {
      subject: 'You’ve got a new owner',
      rest: `${email} accepted the invitation and is now an owner.`,
      undo: 'Not agreed between you? Remove them under Settings, People, and set new passwords.',
    },
    removed: {
      subject: 'An owner was removed',
      rest: `removed ${email}. Their logins, API tokens and calendar feeds have ended.`,
      undo: null,
    },
  } as const
  const { subject, rest, undo } = said[change.kind]
  return {
    subject,
    heading: subject,
    blocks: [paragraph('by' in change ? `${change.by} ${rest}` : rest), ...(undo === null ? [] : [paragraph(undo)])],
  }
}

import { plural } from '#shared/rules/plural.ts'
import { type Message, paragraph } from './layout.ts'

export function ownerLinkMail({ url, hours }: { url: string; hours: number }): Message {
  return {
    subject: 'Your owner account is ready',
    heading: 'Your owner account is ready',
    blocks: [
      paragraph('This address has been set up as an owner of the site. Set a password to get in.'),
      { kind: 'button', label: 'Set your password', url },
      paragraph(
        `The link works once, for ${plural(hours, 'hour')}. Keep it to yourself: whoever opens it runs the site.`,
      ),
      paragraph('If you did not expect this, do not open the link. Tell the person who looks after the site.'),
    ],
  }
}

import { counted } from '#shared/rules/plural.ts'
import { type Letter, words } from './layout.ts'

export function ownerLinkMail({ url, hours }: { url: string; hours: number }): Letter {
  return {
    subject: 'Your owner account is ready',
    heading: 'Your owner account is ready',
    blocks: [
      words('This address has been set up as an owner of the site. Set a password to get in.'),
      { kind: 'button', label: 'Set your password', url },
      words(`The link works once, for ${counted(hours, 'hour')}. Keep it to yourself: whoever opens it runs the site.`),
      words('If you did not expect this, do not open the link. Tell the person who looks after the site.'),
    ],
  }
}

import { formatLongDate } from '#shared/rules/london.ts'
import { greeting, type Message, paragraph } from './layout.ts'

type Ended = { firstName: string | null; lastDay: string; returnUrl: string }

/** Access that the owners gave has ended, and nothing that is paid stands in its place. */
export const freeAccessEndedMail = ({ firstName, lastDay, returnUrl }: Ended): Message => ({
  subject: 'Your free access has ended',
  heading: greeting(firstName),
  blocks: [
    paragraph(`Your free access to the videos and the community ended on ${formatLongDate(lastDay)}.`),
    paragraph('You do not have to do anything, and nothing is taken. We keep your account and your ticks.'),
    paragraph('If you want to carry on, you can become a member and start where you left off.'),
    { kind: 'button', label: 'Carry on as a member', url: returnUrl },
  ],
})

import { formatLongDate } from '#shared/rules/london.ts'
import { greeting, type Message, paragraph } from './layout.ts'

type Answered = {
  firstName: string | null
  /** The coach's first name, if they have an account with one. */
  coach: string | null
  /** When it was asked, and the video's title if it was about one. */
  askedAt: string
  about: string | null
  url: string
  /** How its voice note comes: on its own, beside something else, or not yet. */
  voice: keyof typeof voiceTexts | null
  /** The whole answer, for someone who can't open the page any more. */
  answer: { text: string; link: { title: string; url: string } | null } | null
}

/** A subject has up to 50 characters. */
const longestName = 24

/** What was asked and answered stays in the members' area: an email is read by anyone who holds the phone. */
export function answerMail({ firstName, coach, askedAt, about, url, voice, answer }: Answered): Message {
  const who = coach !== null && coach.length <= longestName ? coach : 'Your coach'
  const asked = `what you asked on ${formatLongDate(askedAt)}${about === null ? '' : ` about “${about}”`}`
  return {
    subject: `${who} has answered your question`,
    heading: `${greeting(firstName)} you’ve got an answer`,
    blocks: [
      paragraph(`${who} has answered ${asked}.`),
      ...(answer === null ? openedBlocks(url, voice) : wholeBlocks(answer, voice)),
    ],
  }
}

const voiceTexts = {
  alone: 'It’s a voice note.',
  beside: 'There’s a voice note too.',
  coming: 'There’s a voice note on its way.',
}

const openedBlocks = (url: string, voice: Answered['voice']): Message['blocks'] => [
  ...(voice === null ? [] : [paragraph(voiceTexts[voice])]),
  { kind: 'button', label: 'Read the answer', url },
]

const wholeBlocks = ({ text, link }: NonNullable<Answered['answer']>, voice: Answered['voice']): Message['blocks'] => [
  ...(text === '' && link === null ? [] : [paragraph('You can’t open the answer without access, so here it is.')]),
  ...(text === '' ? [] : text.split(/\n{2,}/).map(paragraph)),
  ...(link === null ? [] : [{ kind: 'button', label: link.title, url: link.url } as const]),
  ...(voice === null ? [] : [paragraph(`${voiceTexts[voice]} Reply to this email and we’ll send it to you.`)]),
]

type Published = { firstName: string | null; video: string; url: string | null }

/** What's published has no name in it, and was asked by someone who said that we may. */
export const questionPublishedMail = ({ firstName, video, url }: Published): Message => ({
  subject: 'We’ve published your question, without your name',
  heading: `${greeting(firstName)} other members can read your question`,
  blocks: [
    paragraph(`We’ve put your question and its answer below “${video}”, in our own words and without your name.`),
    ...(url === null ? [] : [{ kind: 'button', label: 'See it', url } as const]),
    paragraph('Want it taken down? Reply to this email.'),
  ],
})

import type { VideoSeed } from './videos.ts'

/** What there is to read with a sample video. */
export type VideoTextSeed = { notes: string; transcript: string; captions: string }

type CategoryText = { spoken: readonly string[]; talk: string; jobs: readonly string[] }

const office = 'Put last year in front of you, and start with one number.'
const van = 'Pick one thing to change this week, and write it down.'
const customer = 'Ask what they want first. Then get the tape out.'
const crew = 'Say what good looks like, and who is doing what.'

/** `spoken` is what the category's sample clip says (scripts/samples/clips.ts). */
const byCategory: Record<string, CategoryText> = {
  Strategy: {
    spoken: [office],
    talk: 'Most firms drift because no one ever sat down and chose. An hour with a flask and a pad is enough: what came in, what went out, which jobs you’d take again. Turnover is vanity. What’s left after the merchant, the diesel and the VAT is yours.',
    jobs: ['Take last year’s figures out of the drawer.', 'Circle the three jobs you’d do again.'],
  },
  Money: {
    spoken: [office],
    talk: 'An hour on the tools costs more than the wage. Add the van, insurance, holidays, the hours spent quoting, and the callbacks. Then put your margin on. A deposit of a third before you order anything is normal, and customers who mean it pay it.',
    jobs: ['Work out what one hour costs you.', 'Put the deposit in your next quote.'],
  },
  Time: {
    spoken: [van],
    talk: 'Paperwork grows in the evening because it has no place in the day. Give it one: half an hour before the first job, phone on silent. Quote on the drive while the job’s fresh, and send it before you’re home.',
    jobs: ['Put half an hour for paperwork into tomorrow.', 'Tell one customer when you answer the phone.'],
  },
  Marketing: {
    spoken: [van],
    talk: 'No one buys a boiler for fun. They look for someone a neighbour trusts, with photos of work like theirs. Take five photos of every job, ask for the review while the kettle is on, and post leaflets in the six streets round a job you’re proud of.',
    jobs: ['Take the five photos on your next job.', 'Send the review link to your last three customers.'],
  },
  Sales: {
    spoken: [customer],
    talk: 'A site visit is for listening. Let them talk about what went wrong last time: that’s what they’re really buying. Write three options, put the one you’d choose in the middle, and ring two days later.',
    jobs: ['Ask three questions before you measure.', 'Ring everyone who’s had a quote for a week.'],
  },
  Service: {
    spoken: [customer],
    talk: 'The handover is the last thing they remember. Walk them round, show the stopcock and the warranty, and leave the place cleaner than you found it. When something goes wrong, ring first, before they do.',
    jobs: ['Write your handover on one card.', 'Ring the last customer who had a problem.'],
  },
  'Systems & Automations': {
    spoken: [office],
    talk: 'If it lives in your head, it stops when you’re up a ladder. An enquiry, a visit, a quote, a job, an invoice: write the steps down once, then let the software send the reminders you forget.',
    jobs: ['Draw the run from enquiry to invoice.', 'Set up one reminder.'],
  },
  Team: {
    spoken: [crew],
    talk: 'An apprentice copies what you do, so show the job once, watch it once, and then leave the room. Ten minutes of toolbox talk on a Monday saves an hour of putting right on the Friday.',
    jobs: ['Hold one toolbox talk on Monday.', 'Hand over one whole job.'],
  },
  Leadership: {
    spoken: [van],
    talk: 'A clean van, on time, with the right parts: they notice, and so do customers. Say the hard thing early and in private, and say what happens next. Then keep to it.',
    jobs: ['Clear out the van.', 'Have the conversation you’ve put off.'],
  },
}

const other: CategoryText = {
  spoken: [crew],
  talk: 'Members asked, and our guest answered: what to put by for tax, when to register, and what the Revenue looks at first.',
  jobs: ['Write down your own question for the next evening.'],
}

const opening = ['This is a sample video.', 'Yours goes here.']

/** Two seconds for each half of the opening, the rest of the clip for what follows. */
function captionsOf(spoken: readonly string[]): string {
  const lines = [...opening, ...spoken]
  const cues = lines.map((line, at) => {
    const [from, until] = at < opening.length ? [at * 1.5, (at + 1) * 1.5] : [3, 9]
    return `00:00:0${from.toFixed(3)} --> 00:00:0${until.toFixed(3)}\n${line}`
  })
  return ['WEBVTT', ...cues, ''].join('\n\n')
}

/** A sample video's notes, transcript and captions, made from its category and its own line. */
export function videoText({
  title,
  description,
  category,
}: Pick<VideoSeed, 'title' | 'description' | 'category'>): VideoTextSeed {
  const { spoken, talk, jobs } = byCategory[category] ?? other
  return {
    notes: [`${title}: what to do this week.`, jobs.map((job) => `- ${job}`).join('\n')].join('\n\n'),
    transcript: [[...opening, ...spoken].join(' '), `${title}. ${description}`, talk].join('\n\n'),
    captions: captionsOf(spoken),
  }
}

/** What `docs/voice.md` asks not to say, and what to say there. */
export type Phrase = { name: string; pattern: RegExp; say: string; atMost: number }

export const phrases: readonly Phrase[] = [
  {
    name: 'nothing … taken',
    pattern: /\bnothing (has been|is|was|will be|more is|more was) (taken|charged)/i,
    say: 'You haven’t been charged.',
    atMost: 0,
  },
  {
    name: 'could not be …ed',
    pattern: /\b(could not|couldn’t) be \w+/i,
    say: 'We couldn’t save the address.',
    atMost: 10,
  },
  {
    name: 'somebody, anybody, everybody, nobody',
    pattern: /\b(some|any|every|no)body\b/i,
    say: 'someone, anyone, everyone, no one; better: you',
    atMost: 10,
  },
  { name: 'give money back', pattern: /\b(give|gives|given|giving) (\S+ )?back\b/i, say: 'refund', atMost: 0 },
  // What a payer’s bank does with its money, on a credit note.
  { name: 'take back', pattern: /\b(take|takes|taken|taking) (it )?back\b/i, say: 'cancel, undo', atMost: 1 },
  { name: 'payment provider', pattern: /\b(payment provider|the provider)\b/i, say: 'Stripe', atMost: 0 },
  { name: 'second factor', pattern: /\bsecond factor/i, say: 'two-step login', atMost: 0 },
  { name: 'lesson', pattern: /\blessons?\b/i, say: 'video', atMost: 0 },
  // A name of the terminal, a field of a form and a question about the contract.
  {
    name: 'commitment',
    pattern: /(?<!alliance |time |minimum )\bcommitments?\b/i,
    say: 'what you said you’d do; to owners: what they said they’d do',
    atMost: 0,
  },
  {
    name: 'anew, besides, meanwhile, in any case',
    pattern: /\b(anew|besides|meanwhile|in any case)\b/i,
    say: 'again, also, since',
    atMost: 0,
  },
  { name: 'at once', pattern: /(?<!several |many |changes |positions )\bat once\b/i, say: 'straight away', atMost: 0 },
  {
    name: 'by itself, in the place of',
    pattern: /\b(by itself|by themselves|in the place of)\b/i,
    say: 'automatically; instead of',
    atMost: 0,
  },
  {
    name: 'a great many, wrong tries',
    pattern: /\b(a great many|wrong tries|a lot of tries)\b/i,
    say: 'too many attempts',
    atMost: 0,
  },
  {
    name: 'did not answer',
    pattern: /\bsite (did not|didn’t) answer/i,
    say: 'We couldn’t reach the site.',
    atMost: 0,
  },
  {
    name: 'the person who looks after',
    pattern: /\bthe person who looks after|\bwhoever runs/i,
    say: 'whoever hosts your site',
    atMost: 0,
  },
  { name: 'dearer, frozen', pattern: /\b(dearer|frozen|froze)\b/i, say: 'higher tier, upgrade; closed', atMost: 0 },
  { name: 'the … that we', pattern: /\bthe \w+ that (we|you)\b/i, say: 'the link we emailed', atMost: 0 },
  { name: 'space before %', pattern: /\d %/, say: '62%', atMost: 0 },
  // The specification asks for these; the rest are favours: “Please don’t pay again.”
  { name: 'please', pattern: /\bplease\b/i, say: 'leave it out', atMost: 35 },
  { name: 'oops', pattern: /\boops\b/i, say: 'what happened', atMost: 0 },
]

/** Written out where a contraction fits, and contracted. */
export const writtenOut =
  /\b(is|are|was|were|do|does|did|has|have|had|could|would|should) not\b|\bcannot\b|\b(it|that|there|what) is\b|\b(you|we|they) (are|have|will)\b/gi
export const contracted = /\b\w+n’t\b|\b(it|that|there|what)’s\b|\b(you|we|they)’(re|ve|ll)\b/gi

export const countIn = (texts: readonly string[], pattern: RegExp) =>
  texts.reduce((sum, text) => sum + (text.match(pattern)?.length ?? 0), 0)

const sentencesIn = (text: string) => text.split(/(?<=[.!?:]) /)
export const longSentences = (texts: readonly string[]) =>
  texts.flatMap(sentencesIn).filter((sentence) => sentence.split(' ').length > 25)

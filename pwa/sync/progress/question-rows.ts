import type {
  NewQuestionFile,
  Question,
  QuestionAbout,
  QuestionAllowance,
  QuestionFileKind,
} from '#shared/contract/questions.ts'
import type { questionOrigins } from '#shared/values/question-values.ts'

// Members' phones store these: changing a name needs a new version of the member's database.

export type QuestionOrigin = (typeof questionOrigins)[number]

/** What it's about, as shown. A video that's gone has a title alone. */
export type ShownAbout =
  | { kind: 'video'; videoId: string | null; slug: string | null; title: string; seconds: number }
  | { kind: 'call'; callId: string; startsAt: string | null }

/** A row of the list, as the server has it. Small, so that a long list opens fast: what was said is in `QuestionRecordRow`. */
export type QuestionListRow = {
  id: string
  about: ShownAbout | null
  excerpt: string
  photos: number
  hasVoice: boolean
  state: Question['state']
  /** Files of the member that aren't all at the server. */
  filesLeft: number
  askedAt: string
  answeredAt: string | null
  readByCoachAt: string | null
  /** 1 while an answer wasn't opened, so that unread ones can be counted by an index. */
  isUnread: 0 | 1
  version: number
}

/** All that was said in a question, as the server has it. */
export type QuestionRecordRow = { id: string; question: Question }

/** What a question's text, what was added to it, or a withdrawal or reading is sent as. */
export type QuestionBody =
  | {
      kind: 'ask'
      text: string
      at: number
      files: NewQuestionFile[]
      origin: QuestionOrigin
      about: QuestionAbout | null
      mayPublish: boolean
      shown: ShownAbout | null
    }
  | { kind: 'message'; text: string; at: number; files: NewQuestionFile[] }
  | { kind: 'withdraw' }
  | { kind: 'read'; messageId: string }

/**
 * On its way to the server, in the order made (`seq`). `id` is the message's; of a withdrawal and a reading, an own one. Times are
 * the device's clock, ms since 1970.
 */
export type QuestionEntry = {
  seq: number
  id: string
  questionId: string
  body: QuestionBody
  state: 'waiting' | 'refused'
  /** It has been on its way, so it may have arrived. */
  wasTried: boolean
  attempts: number
  retryAt: number | null
  isWaitAsked: boolean
  /** The London day from which the server takes it. */
  from?: string
  refusal?: { code: string; message: string }
  /** The server had confirmed it, and went back to an older copy since. */
  isRepeat?: true
}
export type NewQuestionEntry = Omit<QuestionEntry, 'seq'>

/** What the server has confirmed. Should it go back to an older copy, it's sent again. `confirmedAt` is the server's clock. */
export type ConfirmedEntry = Pick<QuestionEntry, 'seq' | 'id' | 'questionId' | 'body'> & {
  confirmedAt: number
  generation: string
}

/**
 * A file whose bytes are on this phone. `draft`: of what's being written. `waiting`: announced, or about to be. `sent`: the server
 * has it all. `refused`: the server can't read it. `kept`: the coach's, or the member's own from another phone.
 */
export type QuestionFileRow = {
  id: string
  state: 'draft' | 'waiting' | 'sent' | 'refused' | 'kept'
  kind: QuestionFileKind
  type: string
  bytes: number
  /** Null until it's about to be sent. */
  sha256: string | null
  /** Null of a draft. */
  messageId: string | null
  questionId: string | null
  draftKey: string | null
  /** How many bytes the server has said it has. */
  received: number
  attempts: number
  retryAt: number | null
  refusal: string | null
  durationMs: number | null
  /** A recording that was never ended: what was said until then. */
  isOpen: boolean
  /** When its last bytes came here: the device's clock, ms. */
  changedAt: number
  /** Since when nothing needs it here but the member: the server's clock, ms. Null while it's to be sent. */
  keptAt: number | null
  generation: string | null
}

/** A file's bytes, in the order they came: a recording in chunks, everything else as one. */
export type QuestionBytesRow = { fileId: string; index: number; bytes: ArrayBuffer }

/** How many of a share's photos have been dealt with, and why some aren't in the draft. */
export type TakenShare = { photos: number; problems: readonly string[] }

/**
 * What's being written, without its photos and recording: those are file rows. `id`: the question's, or the message's, so that what's
 * sent twice is the same. `questionId`: it's added to that question; null for a new one. `changedAt`: device clock, ms.
 */
export type QuestionDraftRow = {
  key: string
  id: string
  text: string
  about: QuestionAbout | null
  origin: QuestionOrigin
  mayPublish: boolean
  questionId: string | null
  changedAt: number
  /** Of one that a share sheet began. */
  shared?: TakenShare
}

export type QuestionsRow = {
  key: 'questions'
  paused: 'login' | 'access' | 'member' | null
  attempts: number
  retryAt: number | null
  isWaitAsked: boolean
  isUnreachable: boolean
  /** The last try was one of too many. */
  isTooMuch: boolean
  /** The server's clock, ISO. */
  heardAt: string | null
  /** Of the list stored here; null before the first, and when it has to come whole. */
  version: string | null
  /** The copy of the server's database that answered last. */
  generation: string | null
  allowance: QuestionAllowance | null
  /** The entry that's on its way; null for none. A tab that was killed leaves it until the next run. */
  sending: string | null
  /** When the list was last asked for: the device's clock, ms. */
  pulledAt: number | null
  /** What the ticks' answer had named as the questions' version before that. Another one now means news. */
  mark: string
}

export const emptyQuestions: QuestionsRow = {
  key: 'questions',
  paused: null,
  attempts: 0,
  retryAt: null,
  isWaitAsked: false,
  isUnreachable: false,
  isTooMuch: false,
  heardAt: null,
  version: null,
  generation: null,
  allowance: null,
  sending: null,
  pulledAt: null,
  mark: '',
}

/** A row that an older version wrote lacks what came since. */
export const questionsOf = (row: { key: string } | undefined): QuestionsRow =>
  row?.key === 'questions' ? { ...emptyQuestions, ...row, key: 'questions' } : emptyQuestions

import type { QuestionDraftRow, ShownAbout } from '#pwa/sync/progress/question-rows.ts'
import type { QuestionAllowance, QuestionFileKind, QuestionLink } from '#shared/contract/questions.ts'

// What screens see of questions. What's stored is in progress/question-rows.ts.

/**
 * Why a question isn't on its way. `login`: log in again. `access`: the membership ended; it goes once there's access again.
 * `member`: someone else is logged in. `signal`: we can't reach the server. `server`: it's busy. `many`: they've
 * sent too much in one go. Nothing is lost meanwhile.
 */
export type WaitReason = 'login' | 'access' | 'member' | 'signal' | 'server' | 'many'

/** How a question, or what was added to one, stands. Times are ISO text, the server's clock. */
export type SendState =
  | { kind: 'waiting'; why: WaitReason | null }
  /** Above what the tier gives in a month, or a day: it goes by itself from this London day on. */
  | { kind: 'later'; from: string }
  | { kind: 'sending' }
  /** The text is there. Its files may still be on their way. */
  | { kind: 'sent' }
  /** The server doesn't take it; the sentence says why. It stays until the member mends or deletes it. */
  | { kind: 'refused'; message: string }

export type QuestionRowState =
  | Exclude<SendState, { kind: 'sent' }>
  | { kind: 'sent'; at: string }
  | { kind: 'read'; at: string }
  | { kind: 'answered'; at: string }
  | { kind: 'closed' }
  /** `isDone`: the server has deleted it, too. */
  | { kind: 'withdrawn'; isDone: boolean }

/** A row of the list. */
export type QuestionRow = {
  id: string
  about: ShownAbout | null
  /** The first 200 characters. */
  excerpt: string
  photos: number
  hasVoice: boolean
  state: QuestionRowState
  /** Files that aren't all at the server yet. */
  filesLeft: number
  /** ISO. */
  askedAt: string
  isUnread: boolean
  /** Something the member added was refused. A refused withdrawal leaves nothing to send: its thread says so. */
  hasRefusal: boolean
}

/** What's true of all questions on this phone. */
export type QuestionSync = {
  /** Questions, messages and withdrawals that wait, and files. */
  waiting: number
  refused: number
  paused: 'login' | 'access' | 'member' | null
  isReachable: boolean
  /** ISO; null before the first answer. */
  heardAt: string | null
  /** As the server last said. */
  allowance: QuestionAllowance | null
}

/** The last asked first. */
export type QuestionThreads = { rows: QuestionRow[]; sync: QuestionSync }

/**
 * `waiting`: nothing of it is sent. `sending`: `sentBytes` of `bytes` are there. `sent`: the server has all, and reads it. `refused`:
 * it couldn't be read, and `refusal` says what to do.
 */
export type ThreadFileState = 'waiting' | 'sending' | 'sent' | 'ready' | 'refused'

export type ThreadFile = {
  id: string
  kind: QuestionFileKind
  state: ThreadFileState
  bytes: number
  sentBytes: number
  refusal: string | null
  /** What it's served as; of one on its way, what it's stored as here. */
  type: string | null
  width: number | null
  height: number | null
  durationMs: number | null
  hasAac: boolean
  /** Its bytes are on this phone, so it opens without signal. */
  isHere: boolean
}

export type ThreadMessage = {
  id: string
  author: 'member' | 'coach'
  /** The coach's first name. */
  name: string | null
  text: string
  link: QuestionLink | null
  files: ThreadFile[]
  /** ISO. */
  at: string
  /** Of the member's own. */
  state: SendState
}

export type QuestionThread = QuestionRow & {
  messages: ThreadMessage[]
  mayPublish: boolean
  readByCoachAt: string | null
  answeredAt: string | null
  publishedAt: string | null
  /** Not once it's answered or withdrawn. */
  canWithdraw: boolean
  canAdd: boolean
  /** Why the server didn't take the withdrawal. */
  withdrawRefusal: string | null
}

export type DraftPhoto = { id: string; type: string; bytes: number }

/** `isOpen`: its recording was never ended. It's what was said until then, and can be sent as it is. */
export type DraftVoice = { id: string; type: string; bytes: number; durationMs: number; isOpen: boolean }

/** What's being written. `questionId`: it's added to that question; null for a new one. */
export type Draft = Omit<QuestionDraftRow, 'id'> & { photos: DraftPhoto[]; voice: DraftVoice | null }

/** What a draft begins with, if there's none under its key. */
export type DraftStart = Partial<Pick<Draft, 'text' | 'about' | 'origin' | 'mayPublish' | 'questionId'>>
export type DraftChange = Partial<Pick<Draft, 'text' | 'about' | 'mayPublish' | 'shared'>>

export const isEmptyDraft = ({ text, photos, voice }: Pick<Draft, 'text' | 'photos' | 'voice'>): boolean =>
  text.trim() === '' && photos.length === 0 && voice === null

/** A recording on its way into a draft. Each call resolves once it's on the phone. */
export type VoiceWriter = {
  fileId: string
  /** A chunk as the recorder gives it, and the length recorded so far, without pauses. */
  add(chunk: Blob, durationMs: number): Promise<void>
  /** Null if nothing was recorded: then nothing of it stays. */
  finish(): Promise<DraftVoice | null>
  discard(): Promise<void>
}

/**
 * What a logout would delete: one line each, to send or delete. `files`: its text has arrived. `name`: its first words, or those of
 * the question it belongs to; may be empty. `id` of a draft is its key.
 */
export type UnsentQuestion = {
  id: string
  kind: 'question' | 'message' | 'withdrawal' | 'files' | 'draft'
  name: string
  photos: number
  hasVoice: boolean
  state: 'waiting' | 'refused' | 'draft'
  /** Above the tier's number: the first London day on which it goes. */
  from: string | null
}

/**
 * Why something can't be added to a draft. `full`: the phone has no room; what was there before stays. `too-many`, `too-large`: above
 * the limit of a message. `recording`: another tab records into the same draft. `insecure`: only a page at https can send files.
 */
export type DraftFault = 'full' | 'too-many' | 'too-large' | 'empty' | 'recording' | 'insecure'

/** `kept`: it's on this phone, and goes by itself. `invalid`: the sentence says what to mend. */
export type AskOutcome =
  | { kind: 'kept'; questionId: string; id: string }
  | { kind: 'empty' }
  | { kind: 'invalid'; message: string }

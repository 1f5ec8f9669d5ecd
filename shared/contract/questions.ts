import * as v from 'valibot'
import {
  questionAuthors,
  questionFileForms,
  questionFileKinds,
  questionOrigins,
  questionStates,
} from '#shared/values/question-values.ts'
import { ClockTime, Day, Id, Line, Page, RequiredLine, RequiredText, Text, visible } from './fields.ts'

/** The most of each: of a text, of photos with one message, of bytes, of a voice note's length. */
export const questionTextLimit = 4000
export const photosPerMessage = 3
export const photoSide = 1600
export const maxPhotoBytes = 400 * 1024
export const maxVoiceBytes = 2 * 1024 ** 2
export const maxVoiceMs = 120_000
/** A piece passes at 20 kbit/s. */
export const questionPieceBytes = 64 * 1024
/** For anyone, whatever the tier gives in a month. */
export const questionsADay = 20

export const QuestionFileKind = v.picklist(questionFileKinds)
export type QuestionFileKind = v.InferOutput<typeof QuestionFileKind>

/** A file that's announced with its message, and comes after it in pieces. `sha256` is of all its bytes, in hex. */
export const NewQuestionFile = v.pipe(
  v.strictObject({
    id: Id,
    kind: QuestionFileKind,
    bytes: v.pipe(v.number(), v.integer(), v.minValue(1, 'This file is empty.')),
    sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, 'This isn’t a SHA-256.')),
  }),
  v.check(
    ({ kind, bytes }) => bytes <= (kind === 'photo' ? maxPhotoBytes : maxVoiceBytes),
    'This file is too large to send.',
  ),
)
export type NewQuestionFile = v.InferOutput<typeof NewQuestionFile>

const files = v.pipe(
  v.array(NewQuestionFile),
  v.check((all) => all.filter(({ kind }) => kind === 'photo').length <= photosPerMessage, 'Up to three photos.'),
  v.check((all) => all.filter(({ kind }) => kind === 'voice').length <= 1, 'One voice note.'),
  v.check((all) => new Set(all.map(({ id }) => id)).size === all.length, 'Two files have the same id.'),
)

const message = {
  id: Id,
  /** The phone's corrected clock. */
  at: ClockTime,
  text: Text(questionTextLimit),
  files: v.optional(files, []),
}

type Said = { text: string; files: readonly unknown[] }
const saysSomething = <Given extends Said>() =>
  v.check<Given, string>(
    ({ text, files: sent }) => visible.test(text) || sent.length > 0,
    'Write something, add a photo or record a voice note.',
  )

/** What a question is about: a video and the second it stood at, or a call. */
export const QuestionAbout = v.variant('kind', [
  v.strictObject({
    kind: v.literal('video'),
    videoId: v.pipe(v.string(), v.minLength(1), v.maxLength(64)),
    seconds: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(999_999)),
  }),
  v.strictObject({ kind: v.literal('call'), callId: Id }),
])
export type QuestionAbout = v.InferOutput<typeof QuestionAbout>

/** A question: its first message has its id. Sent again, it's the same one. */
export const NewQuestion = v.pipe(
  v.strictObject({
    ...message,
    memberId: v.optional(v.string()),
    origin: v.picklist(questionOrigins),
    about: v.optional(v.nullable(QuestionAbout), null),
    mayPublish: v.optional(v.boolean(), false),
  }),
  saysSomething(),
)
export type NewQuestion = v.InferOutput<typeof NewQuestion>

/** What the member adds to a question. */
export const NewQuestionMessage = v.pipe(
  v.strictObject({ ...message, memberId: v.optional(v.string()) }),
  saysSomething(),
)
export type NewQuestionMessage = v.InferOutput<typeof NewQuestionMessage>

export const QuestionParams = v.object({ id: Id })
export const QuestionFileParams = v.object({ fileId: Id })
/** A voice note's AAC copy, which every phone plays, or what came. */
export const QuestionContentQuery = v.object({ form: v.optional(v.picklist(questionFileForms), 'served') })

/**
 * `coming`: not all of its bytes are here, or they haven't been read. `missing`: some days have gone by, and it's still taken if it
 * comes.
 */
export const questionFileStates = ['coming', 'missing', 'ready', 'refused'] as const

/** `type` is what it's served as. */
export const QuestionFile = v.object({
  id: v.string(),
  kind: QuestionFileKind,
  state: v.picklist(questionFileStates),
  /** As announced, and how many are here. */
  bytes: v.number(),
  received: v.number(),
  refusal: v.nullable(v.string()),
  type: v.nullable(v.string()),
  width: v.nullable(v.number()),
  height: v.nullable(v.number()),
  durationMs: v.nullable(v.number()),
  /** There's an AAC copy, which every phone plays. */
  hasAac: v.boolean(),
})
export type QuestionFile = v.InferOutput<typeof QuestionFile>

/** A video or post that the coach points to. */
export const QuestionLink = v.object({ kind: v.picklist(['video', 'post']), path: v.string(), title: v.string() })
export type QuestionLink = v.InferOutput<typeof QuestionLink>

export const QuestionMessage = v.object({
  id: v.string(),
  author: v.picklist(questionAuthors),
  /** The coach's first name. Null of the member's own, and of an owner whose account is gone. */
  name: v.nullable(v.string()),
  text: v.string(),
  link: v.nullable(QuestionLink),
  files: v.array(QuestionFile),
  at: v.string(),
})
export type QuestionMessage = v.InferOutput<typeof QuestionMessage>

export const QuestionState = v.picklist(questionStates)
export type QuestionState = v.InferOutput<typeof QuestionState>

/** A question as its member sees it. A withdrawn one has no messages. */
export const Question = v.object({
  id: v.string(),
  origin: v.picklist(questionOrigins),
  /** `title` is kept of a video that's gone, and then there's no `slug`. */
  video: v.nullable(
    v.object({ id: v.nullable(v.string()), slug: v.nullable(v.string()), title: v.string(), seconds: v.number() }),
  ),
  call: v.nullable(v.object({ id: v.string(), startsAt: v.string() })),
  mayPublish: v.boolean(),
  state: QuestionState,
  askedAt: v.string(),
  answeredAt: v.nullable(v.string()),
  readByCoachAt: v.nullable(v.string()),
  /** Null while there's an answer that the member hasn't opened. */
  readByMemberAt: v.nullable(v.string()),
  isUnread: v.boolean(),
  publishedAt: v.nullable(v.string()),
  version: v.number(),
  messages: v.array(QuestionMessage),
})
export type Question = v.InferOutput<typeof Question>

/** What's left of a month. `perMonth`: null without a limit. `from`: the first day on which another one goes. */
export const QuestionAllowance = v.object({
  perMonth: v.nullable(v.number()),
  leftThisMonth: v.nullable(v.number()),
  leftToday: v.number(),
  from: v.nullable(Day),
})
export type QuestionAllowance = v.InferOutput<typeof QuestionAllowance>

/** All the member's questions, the last asked first. `version` changes with any of them; the same one sent as `?version=` answers 204. */
export const QuestionList = v.object({
  questions: v.array(Question),
  allowance: QuestionAllowance,
  serverTime: v.string(),
  version: v.string(),
  /** Which copy of the database answers: after another one the phone sends again what it keeps. */
  generation: v.string(),
})
export type QuestionList = v.InferOutput<typeof QuestionList>
/** `memberId`: whose questions the phone has. Another than the session's answers 409 `wrong_member`. */
export const QuestionListQuery = v.object({
  version: v.optional(v.pipe(v.string(), v.maxLength(64))),
  memberId: v.optional(v.string()),
})

/** The answer to a question, message, withdrawal or reading: how it stands now. */
export const QuestionResponse = v.object({ question: Question, serverTime: v.string(), generation: v.string() })
export type QuestionResponse = v.InferOutput<typeof QuestionResponse>

export const QuestionWithdrawal = v.strictObject({ memberId: v.optional(v.string()) })
export type QuestionWithdrawal = v.InferOutput<typeof QuestionWithdrawal>
/** The last message that was on screen. */
export const QuestionReading = v.strictObject({ messageId: Id })
export type QuestionReading = v.InferOutput<typeof QuestionReading>

/** How far a file has come, and what became of it. */
export const QuestionFileResponse = v.object({ file: QuestionFile, generation: v.string() })
export type QuestionFileResponse = v.InferOutput<typeof QuestionFileResponse>

/** A question in Inbox. */
export const InboxQuestion = v.object({
  id: v.string(),
  /** `tier`: the name of the one they have now. Null once their access has ended. */
  member: v.object({ id: v.string(), name: v.string(), email: v.string(), tier: v.nullable(v.string()) }),
  video: v.nullable(v.object({ id: v.nullable(v.string()), title: v.string(), seconds: v.number() })),
  /** The first 200 characters of what the member last wrote. */
  excerpt: v.string(),
  photos: v.number(),
  voiceNotes: v.number(),
  /** A file isn't all here, and was announced in the last days. */
  isComing: v.boolean(),
  state: QuestionState,
  askedAt: v.string(),
  waitsSince: v.nullable(v.string()),
  answeredAt: v.nullable(v.string()),
  version: v.number(),
})
export type InboxQuestion = v.InferOutput<typeof InboxQuestion>

export const InboxQuestionList = v.array(InboxQuestion)

/** `all` begins with those that wait. */
export const questionFilters = ['waiting', 'answered', 'closed', 'all'] as const
export const QuestionFilter = v.picklist(questionFilters, `Name one of these: ${questionFilters.join(', ')}.`)
export type QuestionFilter = v.InferOutput<typeof QuestionFilter>

/** `q` finds the person, or words of what was said. `member`: only theirs. `reference`: only the one with this short one. */
export const InboxQuestionQuery = v.object({
  ...Page.entries,
  member: v.optional(Id),
  reference: v.optional(v.pipe(v.string(), v.regex(/^[0-9a-f]{4}-[0-9a-f]{4}$/i, 'A reference looks like 3C4D-5E6F.'))),
  filter: v.optional(QuestionFilter, 'waiting'),
  q: v.optional(Line(100)),
})
export type InboxQuestionQuery = v.InferOutput<typeof InboxQuestionQuery>

/** One question with all that an owner answers it by. `earlier`: the member's others, the last asked first, at most 20. */
export const QuestionRecord = v.object({
  question: Question,
  /** `tierSlug`: whose videos they can open now. */
  member: v.object({ ...InboxQuestion.entries.member.entries, tierSlug: v.nullable(v.string()) }),
  earlier: v.array(v.object({ id: v.string(), askedAt: v.string(), state: QuestionState, excerpt: v.string() })),
  published: v.nullable(
    v.object({ id: v.string(), videoId: v.string(), question: v.string(), answer: v.string(), version: v.number() }),
  ),
})
export type QuestionRecord = v.InferOutput<typeof QuestionRecord>

/** An owner's answer. `version` is the question's as the owner saw it: after another owner's answer it's refused with that answer. */
export const QuestionAnswer = v.pipe(
  v.strictObject({
    id: Id,
    text: Text(questionTextLimit),
    files: v.optional(
      v.pipe(
        files,
        v.check((all) => all.every(({ kind }) => kind === 'voice'), 'One voice note.'),
      ),
      [],
    ),
    videoId: v.optional(v.nullable(v.string()), null),
    postSlug: v.optional(v.nullable(v.string()), null),
    version: v.pipe(v.number(), v.integer(), v.minValue(1)),
  }),
  v.check(
    ({ text, files: sent, videoId, postSlug }) =>
      text !== '' || sent.length > 0 || videoId !== null || postSlug !== null,
    'Add an answer: text, a voice note, a video or a post.',
  ),
)
export type QuestionAnswer = v.InferOutput<typeof QuestionAnswer>

export const QuestionStep = v.strictObject({ version: v.pipe(v.number(), v.integer(), v.minValue(1)) })
export type QuestionStep = v.InferOutput<typeof QuestionStep>

/** A question and answer below a video, in the owner's words. `version` 0: not published yet. */
export const PublishRequest = v.strictObject({
  videoId: v.pipe(v.string(), v.minLength(1), v.maxLength(64)),
  question: RequiredText('Question', 1000),
  answer: RequiredText('Answer', questionTextLimit),
  version: v.pipe(v.number(), v.integer(), v.minValue(0)),
})
export type PublishRequest = v.InferOutput<typeof PublishRequest>

/** Below a video, for who may see it. */
export const PublishedQuestion = v.object({
  id: v.string(),
  question: v.string(),
  answer: v.string(),
  useful: v.number(),
  isUsefulToMe: v.boolean(),
})
export type PublishedQuestion = v.InferOutput<typeof PublishedQuestion>
export const PublishedQuestionList = v.array(PublishedQuestion)

/** Below a video, for owners: also what came of a question whose account is gone. */
export const VideoQuestion = v.omit(PublishedQuestion, ['isUsefulToMe'])
export type VideoQuestion = v.InferOutput<typeof VideoQuestion>
export const VideoQuestionList = v.array(VideoQuestion)

export const SavedReply = v.object({ id: v.string(), title: v.string(), text: v.string(), version: v.number() })
export type SavedReply = v.InferOutput<typeof SavedReply>
export const SavedReplyList = v.array(SavedReply)
export const SavedReplyRequest = v.strictObject({
  title: RequiredLine('Title', 80),
  text: RequiredText('Text', questionTextLimit),
  version: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
})
export type SavedReplyRequest = v.InferOutput<typeof SavedReplyRequest>

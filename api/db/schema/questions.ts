import { sql } from 'drizzle-orm'
import { blob, check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import {
  questionAuthors,
  questionFileForms,
  questionFileKinds,
  questionOrigins,
} from '#shared/values/question-values.ts'
import { flag, id, instant, oneOf } from './columns.ts'
import { coachingBookings } from './forms.ts'
import { users } from './people.ts'
import { memberVideos } from './videos.ts'

/** What members ask the coach. The phone makes the id, so a question that's sent again is the same one. */
export const questions = sqliteTable(
  'questions',
  {
    id: id(),
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    origin: text({ enum: questionOrigins }).notNull(),
    /** The video it's about, and the second it stood at. A deleted video leaves its title. */
    videoId: text().references(() => memberVideos.id, { onDelete: 'set null' }),
    videoTitle: text(),
    seconds: integer(),
    callId: text().references(() => coachingBookings.id, { onDelete: 'set null' }),
    /** The member ticked that it may be published, reworded and without a name. */
    mayPublish: flag(false),
    /** The phone's corrected clock, never later than `receivedAt`. The London day and month it's counted in are `countedAt`'s. */
    askedAt: instant().notNull(),
    countedAt: instant().notNull(),
    receivedAt: instant().notNull(),
    /** When the coach last answered after the member's last message. Null while it waits. */
    answeredAt: instant(),
    /** Since when it waits: the first message that the coach hasn't answered. What waits is sorted by it. */
    waitsSince: instant().notNull(),
    closedAt: instant(),
    withdrawnAt: instant(),
    /** When the coach, and the member, read all that's in it. Null again once the other writes. */
    readByCoachAt: instant(),
    readByMemberAt: instant(),
    /** Goes up with each change: a second owner's answer names the one it was written for. */
    version: integer().notNull().default(1),
    updatedAt: instant().notNull(),
  },
  (table) => [
    index('questions_user').on(table.userId, table.askedAt),
    index('questions_counted').on(table.userId, table.countedAt),
    index('questions_waiting')
      .on(table.waitsSince, table.id)
      .where(sql.raw('"answeredAt" is null and "closedAt" is null and "withdrawnAt" is null')),
    index('questions_updated').on(table.updatedAt, table.id),
    // Waiting questions first, the order of the owners' full list. Written by hand in its migration: the generator takes an
    // expression apart at its commas.
    index('questions_listed').on(
      sql`iif("answeredAt" is null and "closedAt" is null and "withdrawnAt" is null, cast(round(unixepoch("waitsSince", 'subsec') * 1000) as integer), 9000000000000000 - cast(round(unixepoch("updatedAt", 'subsec') * 1000) as integer))`,
      table.id,
    ),
    index('questions_video').on(table.videoId),
    index('questions_call').on(table.callId),
    check('questions_origin', sql.raw(oneOf('origin', questionOrigins))),
    check('questions_seconds', sql.raw('"seconds" is null or "seconds" >= 0')),
  ],
)

/** What was said in a question, its first text included. A withdrawn question has none. */
export const questionMessages = sqliteTable(
  'question_messages',
  {
    id: id(),
    questionId: text()
      .notNull()
      .references(() => questions.id, { onDelete: 'cascade' }),
    author: text({ enum: questionAuthors }).notNull(),
    /** The owner who wrote it. Null of a member's, and of an owner whose account is gone. */
    ownerId: text().references(() => users.id, { onDelete: 'set null' }),
    /** May be empty if there are files. */
    text: text().notNull(),
    /** A video or post the coach points to. */
    videoId: text().references(() => memberVideos.id, { onDelete: 'set null' }),
    postSlug: text(),
    at: instant().notNull(),
    receivedAt: instant().notNull(),
  },
  (table) => [
    index('question_messages_question').on(table.questionId, table.at, table.id),
    index('question_messages_owner').on(table.ownerId),
    index('question_messages_video').on(table.videoId),
    check('question_messages_author', sql.raw(oneOf('author', questionAuthors))),
  ],
)

/** A photo or voice note. It's announced with its message, and comes in pieces. */
export const questionFiles = sqliteTable(
  'question_files',
  {
    id: id(),
    messageId: text()
      .notNull()
      .references(() => questionMessages.id, { onDelete: 'cascade' }),
    kind: text({ enum: questionFileKinds }).notNull(),
    position: integer().notNull(),
    /** As the phone announced it: how many bytes come, and their SHA-256 in hex. */
    bytes: integer().notNull(),
    sha256: text().notNull(),
    /** Bytes that are here. */
    received: integer().notNull().default(0),
    /** When all was here and read. */
    readyAt: instant(),
    /** Why it was refused: a sentence for the person. */
    refusal: text(),
    /** Of what we serve. */
    type: text(),
    /** Of a photo. */
    width: integer(),
    height: integer(),
    /** Of a voice note. */
    durationMs: integer(),
    /** When a voice note's AAC copy was made, wasn't needed, or couldn't be made. */
    copiedAt: instant(),
  },
  (table) => [
    index('question_files_message').on(table.messageId, table.position),
    index('question_files_unread')
      .on(table.id)
      .where(sql.raw('"readyAt" is null and "refusal" is null and "received" = "bytes"')),
    index('question_files_missing').on(table.messageId).where(sql.raw('"readyAt" is null and "refusal" is null')),
    index('question_files_uncopied')
      .on(table.id)
      .where(sql.raw(`"kind" = 'voice' and "readyAt" is not null and "copiedAt" is null`)),
    check('question_files_kind', sql.raw(oneOf('kind', questionFileKinds))),
    check('question_files_bytes', sql.raw('"bytes" > 0 and "received" between 0 and "bytes"')),
    check('question_files_sha256', sql.raw('length("sha256") = 64')),
  ],
)

/** The bytes of a file that's still coming, by where they begin. Gone once it has been read. */
export const questionFilePieces = sqliteTable(
  'question_file_pieces',
  {
    fileId: text()
      .notNull()
      .references(() => questionFiles.id, { onDelete: 'cascade' }),
    offset: integer().notNull(),
    content: blob({ mode: 'buffer' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.fileId, table.offset] })],
)

/** What we serve: a photo that we drew again, a voice note as it came, and its AAC copy where there's a program for it. */
export const questionFileContents = sqliteTable(
  'question_file_contents',
  {
    fileId: text()
      .notNull()
      .references(() => questionFiles.id, { onDelete: 'cascade' }),
    form: text({ enum: questionFileForms }).notNull(),
    content: blob({ mode: 'buffer' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.fileId, table.form] }),
    check('question_file_contents_form', sql.raw(oneOf('form', questionFileForms))),
  ],
)

/** A question published below its video, in the owners' words and without a name. */
export const publishedQuestions = sqliteTable(
  'published_questions',
  {
    id: id(),
    /** Null once the question's account is gone: what was published without a name stays. */
    questionId: text().references(() => questions.id, { onDelete: 'set null' }),
    videoId: text()
      .notNull()
      .references(() => memberVideos.id, { onDelete: 'cascade' }),
    question: text().notNull(),
    answer: text().notNull(),
    version: integer().notNull().default(1),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
  },
  (table) => [
    uniqueIndex('published_questions_once').on(table.questionId),
    index('published_questions_video').on(table.videoId, table.createdAt),
  ],
)

/** Who found a published question useful. */
export const usefulQuestions = sqliteTable(
  'useful_questions',
  {
    publishedId: text()
      .notNull()
      .references(() => publishedQuestions.id, { onDelete: 'cascade' }),
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    at: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.publishedId, table.userId] }),
    index('useful_questions_user').on(table.userId),
  ],
)

/** Answers that owners use again. */
export const savedReplies = sqliteTable('saved_replies', {
  id: id(),
  title: text().notNull(),
  text: text().notNull(),
  version: integer().notNull().default(1),
  createdAt: instant().notNull(),
  updatedAt: instant().notNull(),
})

import { eq } from 'drizzle-orm'
import { type Context, perContext } from '#api/context.ts'
import { whenWritable } from '#api/db/busy.ts'
import { insertRow } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { questionFileContents, questionFilePieces, questionFiles, questions } from '#api/db/schema/questions.ts'
import { AppError } from '#api/errors.ts'
import { errorMessage } from '#api/log.ts'
import { type Asked, DecoderEnded, draw, mostPixels, pictureSize, UnreadablePicture } from '#api/pictures/drawing.ts'
import { type Room, withPlace } from '#api/serving/key-lock.ts'
import { maxVoiceMs, photoSide } from '#shared/contract/questions.ts'
import type { VoiceNote } from '#shared/rules/voice-clusters.ts'
import { pictureType } from '#shared/values/media.ts'
import { fileById, type OwnedFileRow, piecesOfFile } from './queries.ts'
import { tellOnceWhole } from './told-service.ts'
import { wakeFiles } from './wake-service.ts'

type Read = {
  content: Uint8Array
  type: string
  width?: number
  height?: number
  durationMs?: number
  needsCopy?: boolean
}

/** Read or queued. What finds no place is read by the job. */
const roomForReading: Room = { name: 'question files', most: 8, retryAfter: 5, message: 'We’re busy.' }

/** One at a time for each file. */
export const lockOf = (fileId: string): string => `question file ${fileId}`

const bytesArrived = (ctx: Context, fileId: string): Uint8Array =>
  Buffer.concat(piecesOfFile.all(ctx, { fileId }).map(({ content }) => content))

const sha256Of = (bytes: Uint8Array): string => new Bun.CryptoHasher('sha256').update(bytes).digest('hex')

/** Whether these are the bytes that the phone announced. */
export const isAsAnnounced = (ctx: Context, { id, sha256 }: OwnedFileRow): boolean =>
  sha256Of(bytesArrived(ctx, id)) === sha256

/**
 * Reads a file that's all here, and keeps what we serve of it or why we don't. If the decoder was ended meanwhile, or has too much to
 * do, the file waits for the job. Call it with the file's lock.
 */
export async function readArrived(ctx: Context, id: string): Promise<void> {
  const row = fileById.get(ctx, { id })
  if (row === undefined || row.received < row.bytes || row.readyAt !== null || row.refusal !== null) return
  const read = await readOrRefuse(ctx, row)
  if (read === null) return
  await whenWritable(ctx)
  transact(ctx, () => keep(ctx, id, read))
  if (typeof read !== 'string' && read.needsCopy) wakeFiles(ctx)
}

/** A sentence says why it's refused; null if it has to be tried again. */
async function readOrRefuse(ctx: Context, row: OwnedFileRow): Promise<Read | string | null> {
  const bytes = bytesArrived(ctx, row.id)
  if (sha256Of(bytes) !== row.sha256) return sentences[row.kind].damaged
  try {
    const asked = { by: `user:${row.userId}`, signal: new AbortController().signal }
    return await withPlace(ctx, roomForReading, () => (row.kind === 'photo' ? readPhoto : readVoice)(bytes, asked))
  } catch (error) {
    if (error instanceof UnreadablePicture && !(error instanceof DecoderEnded))
      return error.message.includes('exceeds pixel limit') ? tooManyPixels : sentences[row.kind].damaged
    if (error instanceof AppError && error.code === 'too_large') return sentences[row.kind].heavy
    return waitOrGiveUp(ctx, row, error)
  }
}

/** How often a file was tried in vain. */
const tries = perContext(() => new Map<string, number>())

/** A file that ends the decoder each time isn't tried for ever. */
const mostTries = 1_000

function waitOrGiveUp(ctx: Context, { id, kind }: OwnedFileRow, error: unknown): string | null {
  const before = tries(ctx).get(id) ?? 0
  tries(ctx).set(id, before + 1)
  if (before > mostTries) return sentences[kind].damaged
  ctx.log.warn('a file of a question waits to be read', { id, reason: errorMessage(error) })
  return null
}

const tooManyPixels = `This photo has more than ${mostPixels / 1_000_000} million pixels. Take it again at the camera’s normal size.`
const heic =
  'We can’t read HEIC photos. On an iPhone, go to Settings, Camera, Formats and choose Most Compatible. Then take it again.'
const noPicture = 'This isn’t a photo we can read. Take a photo, or send a screenshot of it.'

const sentences = {
  photo: {
    damaged: 'We can’t read this photo: part of it is missing or damaged. Add it again.',
    heavy: 'This photo takes too long to read. Take it again, or send another one.',
  },
  voice: {
    damaged: 'We can’t read this voice note: part of it is missing or damaged. Record it again.',
    heavy: 'This voice note takes too long to read. Record it again.',
  },
} as const

async function readPhoto(bytes: Uint8Array, asked: Asked): Promise<Read | string> {
  // The first bytes pick the decoder, and there are decoders for a dozen types.
  if (pictureType(bytes) === null) return isHeic(bytes) ? heic : noPicture
  const content = await draw(bytes, { as: 'photo', side: photoSide }, { asked })
  return { content, type: 'image/jpeg', ...(await pictureSize(content, asked)) }
}

/** By the brand of its container (ISO/IEC 23008-12). */
const isHeic = (bytes: Uint8Array): boolean =>
  /^....ftyp(hei[cxms]|hev[cxms]|mif1|msf1)/s.test(String.fromCharCode(...bytes.subarray(0, 12)))

/** A recorder that stops itself may be a little late. */
const slackMs = 5_000

const problems: Record<Extract<VoiceNote, { problem: string }>['problem'], string> = {
  film: 'This is a video, not a voice note. Record a voice note, or send a photo.',
  cut: sentences.voice.damaged,
  silent: 'There’s nothing to hear in this voice note. Record it again.',
  unknown: 'This isn’t a voice note we can read. Record it again.',
}

async function readVoice(bytes: Uint8Array, asked: Asked): Promise<Read | string> {
  // The decoder answers in the type that its program declares.
  const note: VoiceNote = JSON.parse(new TextDecoder().decode(await draw(bytes, { as: 'voice' }, { asked })))
  if ('problem' in note) return problems[note.problem]
  const { type, durationMs } = note
  const content = bytes.subarray(0, note.bytes)
  if (durationMs > maxVoiceMs + slackMs) return 'That voice note’s too long. Record up to two minutes.'
  return { content, type, durationMs, needsCopy: type !== 'audio/mp4' }
}

/** The file may have been withdrawn while it was read. */
function keep(ctx: Context, id: string, read: Read | string): void {
  const row = fileById.get(ctx, { id })
  if (row === undefined || row.readyAt !== null || row.refusal !== null) return
  ctx.db.delete(questionFilePieces).where(eq(questionFilePieces.fileId, id)).run()
  ctx.db.update(questionFiles).set(columnsOf(read, ctx.now().toISOString())).where(eq(questionFiles.id, id)).run()
  if (typeof read !== 'string')
    insertRow(ctx, questionFileContents, { fileId: id, form: 'served', content: Buffer.from(read.content) })
  touchQuestion(ctx, row.questionId)
  tellOnceWhole(ctx, row.messageId)
}

function columnsOf(read: Read | string, now: string) {
  if (typeof read === 'string') return { refusal: read }
  const { type, width = null, height = null, durationMs = null, needsCopy = false } = read
  return { readyAt: now, type, width, height, durationMs, copiedAt: needsCopy ? null : now }
}

/** Its version stays: an answer isn't written for a file's arrival. */
export function touchQuestion(ctx: Context, id: string): void {
  ctx.db.update(questions).set({ updatedAt: ctx.now().toISOString() }).where(eq(questions.id, id)).run()
}

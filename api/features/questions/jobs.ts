import { mkdtempSync, rmSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { jobPatienceMs, whenWritable } from '#api/db/busy.ts'
import { insertIfAbsent } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { questionFileContents, questionFiles } from '#api/db/schema/questions.ts'
import { withKeyLock } from '#api/serving/key-lock.ts'
import { convert, type Outcome } from '#api/video-files/convert.ts'
import { findTools, type Tools } from '#api/video-files/tools.ts'
import { maxVoiceBytes } from '#shared/contract/questions.ts'
import { lockOf, readArrived, touchQuestion } from './arrival-service.ts'
import { contentOfFile, fileById, uncopiedVoices, unreadFiles } from './queries.ts'
import { tellOfLateAnswers } from './told-service.ts'

/** Reads what waits, tells of answers whose voice note is late, then makes AAC copies of voice notes that not every phone plays. */
export async function readQuestionFiles(ctx: Context, { stopping }: { stopping: AbortSignal | undefined }) {
  const waiting = unreadFiles.all(ctx)
  for (const { id } of waiting) {
    if (stopping?.aborted) break
    await withKeyLock(ctx, lockOf(id), () => readArrived(ctx, id))
  }
  const left = unreadFiles.all(ctx).length
  const told = tellOfLateAnswers(ctx)
  return { read: waiting.length - left, left, told, ...(await copyVoices(ctx, stopping)) }
}

async function copyVoices(ctx: Context, stopping: AbortSignal | undefined) {
  const voices = uncopiedVoices.all(ctx)
  const tools = voices.length === 0 ? null : findTools(ctx)
  if (tools === null) return { copied: 0 }
  let copied = 0
  for (const { id } of voices) {
    if (stopping?.aborted) break
    const copy = await makeCopy(ctx, tools, { id, stopping })
    // Neither is a fault of this voice note.
    if (copy === 'stopped' || copy === 'unable') break
    await whenWritable(ctx, jobPatienceMs)
    transact(ctx, () => keepCopy(ctx, id, copy))
    copied += copy === null ? 0 : 1
  }
  return { copied }
}

/** Null if it can't be made. */
async function makeCopy(
  ctx: Context,
  tools: Tools,
  { id, stopping }: { id: string; stopping: AbortSignal | undefined },
): Promise<Buffer | Extract<Outcome, 'stopped' | 'unable'> | null> {
  const served = contentOfFile.get(ctx, { fileId: id, form: 'served' })
  const format = fileById.get(ctx, { id })?.type?.startsWith('audio/webm') ? 'webm' : 'm4a'
  if (served === undefined) return null
  const folder = mkdtempSync(join(tmpdir(), 'alliance-voice-'))
  const [path, target] = [join(folder, 'voice'), join(folder, 'copy')]
  try {
    await writeFile(path, served.content, { mode: 0o600 })
    const how = {
      form: 'sound',
      source: { path, format },
      target,
      mostBytes: maxVoiceBytes,
      stopping,
      onPercent() {},
    } as const
    const outcome = await convert(tools, how)
    if (outcome === 'stopped' || outcome === 'unable') return outcome
    return outcome === null ? await readFile(target) : null
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** It may have been withdrawn meanwhile. */
function keepCopy(ctx: Context, fileId: string, content: Buffer | null): void {
  const row = fileById.get(ctx, { id: fileId })
  if (row === undefined) return
  if (content !== null) insertIfAbsent(ctx, questionFileContents, { fileId, form: 'aac', content })
  ctx.db.update(questionFiles).set({ copiedAt: ctx.now().toISOString() }).where(eq(questionFiles.id, fileId)).run()
  touchQuestion(ctx, row.questionId)
}

import { webmOf } from '#api/testing/question-files.ts'
import type { World } from '#api/testing/world.ts'
import { createQuestions, type Questions } from '#pwa/sync/questions/engine.ts'
import type { Draft, QuestionThread } from '#pwa/sync/questions/shapes.ts'
import { readThread, readThreads } from '#pwa/sync/questions/views.ts'
import type { Room } from '#shared/rules/shelf.ts'
import type { Tab } from './phone.ts'

export type AskingTab = Tab & { questions: Questions; room: Room }

/** The questions of a tab, which a page would open a moment after it. */
export function withQuestions(tab: Tab): AskingTab {
  const asking: AskingTab = {
    ...tab,
    room: { usage: 0, quota: 1e9, isSafe: true },
    questions: createQuestions({ engine: tab.engine, room: async () => asking.room }),
  }
  return asking
}

export type Written = { text?: string; photos?: Blob[]; voice?: Blob[] } & Partial<
  Pick<Draft, 'about' | 'questionId' | 'mayPublish'>
>

export const voiceNote = (seconds: number): Blob[] => chunksOf(webmOf(seconds), 4_000)

/** As a recorder gives it, one a second. */
export function chunksOf(recording: Uint8Array, size: number): Blob[] {
  const bytes = new Uint8Array(recording)
  const count = Math.ceil(bytes.length / size)
  return Array.from({ length: count }, (_, index) => new Blob([bytes.subarray(index * size, (index + 1) * size)]))
}

/** Writes a draft as a screen does: what's said as it comes, then photos and text. */
export async function write(
  { questions }: AskingTab,
  key: string,
  { text = '', photos = [], voice = [], ...rest }: Written,
) {
  const { questionId = null, ...change } = rest
  await questions.changeDraft(key, { text, ...change }, { questionId })
  for (const photo of photos) await questions.addPhoto(key, photo)
  if (voice.length === 0) return
  const writer = await questions.startVoice(key, 'audio/webm;codecs=opus')
  for (const [index, chunk] of voice.entries()) await writer.add(chunk, (index + 1) * 1_000)
  await writer.finish()
}

/** Writes and asks; the question's id. */
export async function ask(tab: AskingTab, written: Written, key = 'header'): Promise<string> {
  await write(tab, key, written)
  const outcome = await tab.questions.ask(key)
  if (outcome.kind !== 'kept') throw new Error(`It wasn’t kept: ${JSON.stringify(outcome)}`)
  return outcome.questionId
}

export const threadOf = (tab: AskingTab, id: string): Promise<QuestionThread | null> => readThread(tab.store, id)

export const rowsOf = async (tab: AskingTab) => (await readThreads(tab.store)).rows
export const syncOf = async (tab: AskingTab) => (await readThreads(tab.store)).sync

/** What the server has, in the order asked. */
export const storedTexts = ({ ctx }: World): string[] =>
  ctx.sqlite
    .prepare<[], { text: string }>("select text from question_messages where author = 'member' order by at, id")
    .all()
    .map(({ text }) => text)

export const storedFiles = ({ ctx }: World) =>
  ctx.sqlite
    .prepare<[], { id: string; sha256: string; bytes: number; received: number; isReady: 0 | 1 }>(
      'select id, sha256, bytes, received, readyAt is not null as isReady from question_files order by id',
    )
    .all()

/** A voice note as it's served: as it came. */
export function storedContent({ ctx }: World, id: string): Uint8Array | undefined {
  const row = ctx.sqlite
    .prepare<[string], { content: Uint8Array }>(
      "select content from question_file_contents where fileId = ? and form = 'served'",
    )
    .get(id)
  return row && new Uint8Array(row.content)
}

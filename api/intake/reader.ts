import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { AppError } from '#api/errors.ts'
import { openMembers } from '#api/features/imports/members-file-service.ts'
import { openPack, type Pack } from '#api/features/imports/pack-service.ts'
import { openPosts } from '#api/features/imports/posts/posts-file-service.ts'
import { openVideos } from '#api/features/imports/videos-file-service.ts'
import { openEverything } from '#api/features/move-out/everything-file-service.ts'
import { notePosition } from '#api/file-position.ts'
import type { FileAnswer, FileFailure, FileQuestion } from '#api/file-process.ts'

// The process `api/file-process.ts` starts for a file, and kills if the file takes too much. It opens what it's told to, and knows
// neither the database nor the settings. It answers one question at a time.

type Opened = { rows: AsyncIterable<unknown> }
/** Each reader only meets the options its own caller sends. */
type Open = (file: string, options: never) => Promise<Opened>

const readers: Record<string, Open> = {
  members: openMembers,
  lessons: openVideos,
  posts: openPosts,
  everything: openEverything,
}

let rows: AsyncIterator<unknown> | null = null
let pack: Promise<Pack> | null = null
let path = ''

// Its output is the file that `file-process.ts` reads the place from.
notePosition(process.stdout.fd)
process.on('message', async (question: FileQuestion) => void process.send?.(await answer(question)))
// When the server has gone, nothing else would stop a running job.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))

async function answer(question: FileQuestion): Promise<FileAnswer> {
  try {
    return { value: await answerOf(question) }
  } catch (error) {
    return { failure: failureOf(error) }
  }
}

function failureOf(error: unknown): FileFailure {
  if (error instanceof AppError) return { message: error.message, code: error.code, fields: error.fields }
  return { message: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}

async function answerOf(question: FileQuestion): Promise<unknown> {
  switch (question.ask) {
    case 'open':
      return open(question.file, question.as, question.options)
    case 'more':
      return nextRows()
    case 'entry':
      return (await openedPack()).bytes(question.name, question.most)
    case 'save':
      return save(await openedPack(), question)
  }
}

async function open(file: string, as: string, options: unknown): Promise<unknown> {
  const read = readers[as]
  if (read === undefined) throw new Error(`There is no reader for ${as}.`)
  path = file
  const opened = await read(file, options as never)
  rows = opened.rows[Symbol.asyncIterator]()
  return { ...opened, rows: null }
}

/** As many as the server writes in one go, or fewer if they're long or slow to read. */
const batch = { rows: 100, characters: 1_000_000, ms: 100 }

async function nextRows(): Promise<string[]> {
  const read: string[] = []
  const from = performance.now()
  let characters = 0
  while (read.length < batch.rows && characters < batch.characters && performance.now() - from < batch.ms) {
    const next = await rows?.next()
    if (next === undefined || next.done) break
    const row = JSON.stringify(next.value)
    characters += row.length
    read.push(row)
  }
  return read
}

const openedPack = () => {
  pack ??= openPack(path)
  return pack
}

async function save(from: Pack, { name, to, most }: Extract<FileQuestion, { ask: 'save' }>): Promise<null> {
  const chunks = await from.stream(name)
  await pipeline(
    async function* () {
      let bytes = 0
      for await (const chunk of chunks) {
        bytes += chunk.length
        if (bytes > most) throw new AppError('invalid', `${name} is larger than the list says.`)
        yield chunk
      }
    },
    createWriteStream(to, { flags: 'wx', mode: 0o600 }),
  )
  return null
}

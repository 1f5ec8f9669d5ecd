import { expect } from 'vitest'
import type {
  NewQuestion,
  NewQuestionFile,
  Question,
  QuestionFile,
  QuestionList,
  QuestionResponse,
} from '#shared/contract/questions.ts'
import { questionPieceBytes } from '#shared/contract/questions.ts'
import { chunkType, offsetHeader } from '#shared/contract/upload-piece.ts'
import type { TestPerson } from './people.ts'
import { announcementOf } from './question-files.ts'
import type { Call, World } from './world.ts'

const path = '/api/members/questions'

export const newMessage = (world: World, more: object = {}) => ({
  id: world.ctx.newId(),
  at: world.ctx.now().toISOString(),
  text: 'The boiler locks out when it’s windy. What would you charge?',
  ...more,
})

export const newQuestion = (world: World, more: Partial<NewQuestion> = {}) => ({
  ...newMessage(world),
  origin: 'header',
  ...more,
})

/** What a member's phone sends, and how it's answered. */
export function asker(world: World, person: TestPerson) {
  const call = world.signIn(person)
  const post = (to: string, body: unknown) => call(`${path}${to}`, { method: 'POST', body })
  const settled = async (response: Response): Promise<Question> => {
    expect(response.status).toBe(200)
    const { question }: QuestionResponse = await response.json()
    return question
  }
  return {
    person,
    call,
    post,
    ask: async (more: Partial<NewQuestion> = {}) => settled(await post('', newQuestion(world, more))),
    add: async (id: string, more: object = {}) => settled(await post(`/${id}/messages`, newMessage(world, more))),
    withdraw: async (id: string) => settled(await post(`/${id}/withdraw`, {})),
    read: async (id: string, messageId: string) => settled(await post(`/${id}/read`, { messageId })),
    list: async (): Promise<QuestionList> => (await call(path)).json(),
    piece: (id: string, offset: number, content: Uint8Array) => sendPiece(call, { id, offset, content }),
    /** Announces a file with a new question, sends all its pieces, and returns what became of it. */
    send: async (kind: 'photo' | 'voice', content: Uint8Array): Promise<QuestionFile> => {
      const file = announcementOf(world.ctx.newId(), kind, content)
      await settled(await post('', newQuestion(world, { files: [file] })))
      return sendFile(call, file, content)
    },
    file: (file: Pick<NewQuestionFile, 'id'>, form?: string) =>
      call(`/api/members/question-files/${file.id}/content${form === undefined ? '' : `?form=${form}`}`),
  }
}

type Piece = { id: string; offset: number; content: Uint8Array }

export const sendPiece = (call: Call, { id, offset, content }: Piece, side = 'members'): Promise<Response> =>
  call(`/api/${side}/question-files/${id}`, {
    method: 'PATCH',
    body: content,
    headers: { 'content-type': chunkType, [offsetHeader]: String(offset) },
  })

/** Piece by piece, as a phone does. */
export async function sendFile(call: Call, { id }: Pick<NewQuestionFile, 'id'>, bytes: Uint8Array, side = 'members') {
  let file: QuestionFile | undefined
  for (let offset = 0; offset < bytes.length; offset += questionPieceBytes) {
    const content = bytes.subarray(offset, offset + questionPieceBytes)
    const response = await sendPiece(call, { id, offset, content }, side)
    expect(response.status).toBe(200)
    file = (await response.json()).file
  }
  if (file === undefined) throw new Error('An empty file has no pieces.')
  return file
}

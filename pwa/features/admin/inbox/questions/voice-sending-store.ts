import { parseResponse } from '#pwa/lib/api.ts'
import { messageOf, RequestError } from '#pwa/lib/request-error.ts'
import { type NewQuestionFile, QuestionFileResponse, questionPieceBytes } from '#shared/contract/questions.ts'
import { chunkType, offsetHeader } from '#shared/contract/upload-piece.ts'
import { isStillTaken } from '#shared/rules/question-file.ts'
import { discardToSend, readToSend, type VoiceToSend } from './voice-storage.ts'

export type VoiceSending = VoiceToSend & { sent: number; problem: string | null }

type State = { shown: readonly VoiceSending[]; listeners: Set<() => void> }

/** As the answer names it, before its bytes come. */
export async function announceVoice(id: string, blob: Blob): Promise<NewQuestionFile> {
  const digest = await crypto.subtle.digest('SHA-256', await blob.arrayBuffer())
  const sha256 = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return { id, kind: 'voice', bytes: blob.size, sha256 }
}

/** Voice notes on their way, which go on while the owner is elsewhere in the admin. */
function createSendingStore() {
  const state: State = { shown: [], listeners: new Set() }
  const show = (shown: readonly VoiceSending[]) => {
    state.shown = shown
    const isUnderWay = shown.some(({ problem }) => problem === null)
    if (isUnderWay) window.addEventListener('beforeunload', askBeforeLeaving)
    else window.removeEventListener('beforeunload', askBeforeLeaving)
    for (const listener of state.listeners) listener()
  }
  const change = (fileId: string, changed: Partial<VoiceSending>) =>
    show(state.shown.map((one) => (one.fileId === fileId ? { ...one, ...changed } : one)))
  const isUnderWay = (fileId: string) => state.shown.some((one) => one.fileId === fileId && one.problem === null)
  const others = (fileId: string) => state.shown.filter((one) => one.fileId !== fileId)
  const discard = async (note: VoiceToSend) => {
    await discardToSend(note)
    show(others(note.fileId))
  }
  const send = async (note: VoiceToSend) => {
    const { fileId, blob } = note
    if (isUnderWay(fileId)) return
    show([...others(fileId), { ...note, sent: 0, problem: null }])
    try {
      await sendPieces(fileId, blob, (sent) => change(fileId, { sent }))
      await discard(note)
    } catch (error) {
      if (!(error instanceof RequestError)) reportError(error)
      const problem = error instanceof Error ? messageOf(error, failure) : failure
      change(fileId, { problem })
    }
  }
  return {
    list: () => state.shown,
    subscribe: (listener: () => void) => {
      state.listeners.add(listener)
      return () => void state.listeners.delete(listener)
    },
    send,
    discard,
    /** What a reload, or a lost signal, has left on this device. */
    resume: async () => {
      for (const note of await readToSend()) void send(note).catch(reportError)
    },
  }
}

export const voiceSendings = createSendingStore()

const failure = 'We couldn’t send your voice note.'

const askBeforeLeaving = (event: Event) => event.preventDefault()

const timeoutMs = 60_000
const addressOf = (fileId: string) => `/api/admin/question-files/${fileId}`

/** From where the server stands: another tab, or the one before the reload, may have sent some of it. */
async function sendPieces(fileId: string, blob: Blob, onSent: (bytes: number) => void): Promise<void> {
  let { file } = await ask(fileId, { method: 'GET' })
  while (isStillTaken(file) && file.received < blob.size) {
    onSent(file.received)
    const before = file.received
    const body = await blob.slice(before, before + questionPieceBytes).arrayBuffer()
    const headers = { 'content-type': chunkType, [offsetHeader]: String(before) }
    file = await ask(fileId, { method: 'PATCH', headers, body })
      .catch((error: unknown) => {
        if (error instanceof RequestError && error.status === 409) return ask(fileId, { method: 'GET' })
        throw error
      })
      .then((answered) => answered.file)
    if (isStillTaken(file) && file.received <= before) throw new Error('A piece of the voice note didn’t arrive.')
  }
}

function ask(fileId: string, init: RequestInit) {
  const request = fetch(addressOf(fileId), {
    ...init,
    credentials: 'same-origin',
    signal: AbortSignal.timeout(timeoutMs),
  })
  return parseResponse(QuestionFileResponse, readResponse(request))
}

async function readResponse(request: Promise<Response>) {
  const response = await request.catch(() => undefined)
  if (response === undefined) return { data: null, error: { value: null }, response }
  const value: unknown = await response.json()
  return response.ok ? { data: value, error: null, response } : { data: null, error: { value }, response }
}

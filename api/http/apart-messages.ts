import type { Log, LogLevel } from '#api/log.ts'

/** `at` is the time of the server's own clock. */
export type ReadRequest = { id: number; url: string; headers: Record<string, string>; requestId: string; at: number }

export type ForReader = ({ kind: 'read' } & ReadRequest) | { kind: 'pull' | 'cancel'; id: number } | { kind: 'stop' }

/** Without a body, it's pulled in pieces. */
export type ReaderAnswer = {
  kind: 'answer'
  id: number
  status: number
  headers: Record<string, string>
  body: Uint8Array<ArrayBuffer> | null
}

export type ReaderPiece =
  | { kind: 'piece'; id: number; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'end' | 'broken'; id: number }

type LogLine = { kind: 'log'; level: LogLevel; message: string; fields: Parameters<Log['warn']>[1] }

export type FromReader = ReaderAnswer | ReaderPiece | LogLine | { kind: 'slow' }

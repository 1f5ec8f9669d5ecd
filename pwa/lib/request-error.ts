import type { ErrorCode, Versions } from '#shared/contract/error.ts'

/**
 * `offline`: no response came. `unreadable`: a response came that is not ours, such as a Wi-Fi sign-in page.
 * `storage_closed`: the browser has nowhere to store the response.
 */
export type RequestErrorCode = ErrorCode | 'offline' | 'unreadable' | 'storage_closed'

type RequestErrorParts = {
  status: number
  code: RequestErrorCode
  message: string
  text?: string
  fields?: Record<string, string>
  versions?: Versions
  wipe?: boolean
}

/**
 * A request that did not succeed. `message` is "{status}: {body or status text}"; `text` is the sentence for the person, if
 * there is one.
 */
export class RequestError extends Error {
  override readonly name = 'RequestError'
  readonly status: number
  readonly code: RequestErrorCode
  readonly text: string | undefined
  /** Field of the body → the sentence to show under it. */
  readonly fields: Record<string, string>
  /** Of a row that somebody else has changed meanwhile. */
  readonly versions: Versions | undefined
  /** This login was ended from elsewhere: what this device keeps of the person has to go. */
  readonly wipe: boolean

  constructor({ status, code, message, text, fields = {}, versions, wipe = false }: RequestErrorParts) {
    super(message)
    this.status = status
    this.code = code
    this.text = text
    this.fields = fields
    this.versions = versions
    this.wipe = wipe
  }
}

/** The server's sentence for the person, or the given one where it sent none. */
export const messageOf = (error: Error, fallback: string): string =>
  (error instanceof RequestError ? error.text : undefined) ?? fallback

/** Whether no response came: there is no signal, or none that reaches the server. */
export const isOffline = (error: unknown): boolean => error instanceof RequestError && error.code === 'offline'

/** For React's root: a page that needs signal says so itself, and is no fault to report. */
export function onCaughtError(error: unknown): void {
  if (!isOffline(error)) console.error(error)
}

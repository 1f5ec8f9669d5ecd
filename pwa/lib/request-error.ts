import type { ErrorCode, Versions } from '#shared/contract/error.ts'

/**
 * `offline`: no response came. `unreadable`: the response wasn't ours, such as a Wi-Fi sign-in page. `storage_closed`: the browser
 * has nowhere to store the response.
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

/** A failed request. `message` is "{status}: {body or status text}"; `text` is the sentence for the person, if there is one. */
export class RequestError extends Error {
  override readonly name = 'RequestError'
  readonly status: number
  readonly code: RequestErrorCode
  readonly text: string | undefined
  /** The sentence to show under each field of the body. */
  readonly fields: Record<string, string>
  /** For a row that has changed since. */
  readonly versions: Versions | undefined
  /** Another device ended this login, so this one has to delete the data it stores about the person. */
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

export const messageOf = (error: Error, fallback: string): string =>
  (error instanceof RequestError ? error.text : undefined) ?? fallback

/** The same where only the server can say what the fallback says. */
export const verdictOf = (error: Error, fallback: string): string =>
  messageOf(
    error,
    error instanceof RequestError ? fallback : 'Something went wrong in your browser. Reload the page and try again.',
  )

/** Whether no response came: there's no signal, or it doesn't reach the server. */
export const isOffline = (error: unknown): boolean => error instanceof RequestError && error.code === 'offline'

/** What was chosen isn't sold any more, or not at that price: the tiers have to be asked for and chosen from again. */
export const isChoiceOver = (error: unknown): boolean =>
  error instanceof RequestError &&
  (error.code === 'price_changed' || 'tierSlug' in error.fields || 'selectedTier' in error.fields)

/** For React's root: a page that needs signal says so itself, so it's nothing to report. */
export function onCaughtError(error: unknown): void {
  if (!isOffline(error)) console.error(error)
}

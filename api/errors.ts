import type { CallSlot } from '#shared/contract/call-slot.ts'
import { type ErrorCode, errorStatus, type Versions } from '#shared/contract/error.ts'
import type { MembershipTier } from '#shared/contract/tier.ts'

type Extra = {
  fields?: Record<string, string>
  retryAfter?: number
  versions?: Versions
  slots?: CallSlot[]
  tiers?: MembershipTier[]
  from?: string | null
  wipe?: true
}

/** An error the client may see. `message` is written for people, and `fields` says which fields to correct. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly fields: Record<string, string> | undefined
  readonly retryAfter: number | undefined
  readonly versions: Versions | undefined
  readonly slots: CallSlot[] | undefined
  readonly tiers: MembershipTier[] | undefined
  readonly from: string | undefined
  readonly wipe: true | undefined

  constructor(code: ErrorCode, message: string, extra: Extra = {}) {
    super(message)
    this.code = code
    this.fields = extra.fields
    this.retryAfter = extra.retryAfter
    this.versions = extra.versions
    this.slots = extra.slots
    this.tiers = extra.tiers
    this.from = extra.from ?? undefined
    this.wipe = extra.wipe
  }

  get status(): number {
    return errorStatus[this.code]
  }
}

export const notFound = (what = 'This') => new AppError('not_found', notFoundSentence(what))

/** With a code of its own, because people look for members in another list than for the rest. */
export const memberNotFound = (what = 'This member') => new AppError('member_not_found', notFoundSentence(what))

const notFoundSentence = (what: string) => `We can’t find ${what.charAt(0).toLowerCase()}${what.slice(1)}.`

/** Refuses what's in one field. */
export const invalidField = (field: string, sentence: string) =>
  new AppError('invalid', sentence, { fields: { [field]: sentence } })

/** Rejects an edit of a row that has changed since it was read, and returns both versions. */
export const versionConflict = (versions: Versions) =>
  new AppError('version_conflict', 'Someone else has changed this since you opened it.', { versions })

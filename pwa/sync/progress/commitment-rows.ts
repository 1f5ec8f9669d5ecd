import type { Retry } from '#pwa/sync/scheduler.ts'
import type { Commitment, SyncCommitment } from '#shared/contract/commitments.ts'

// Members' phones store these: changing a name needs a new version of the member's database.

/** A commitment as the server last had it. */
export type CommitmentRow = SyncCommitment

/** What a member can do to a commitment. A new one has both a text and a day. */
export type CommitmentEdit = {
  text?: string
  day?: string
  state?: 'open' | 'done' | 'dropped'
  /** Of a new one: what it came from, as it's shown. */
  video?: Commitment['video']
  call?: Commitment['call']
}

/**
 * A change on its way to the server, in the order made (`seq`). `refused` stays until the member has read why. `at` is ms since 1970.
 */
export type CommitmentEntry = CommitmentEdit & {
  seq: number
  id: string
  commitmentId: string
  at: number
  counter: number
  status: 'waiting' | 'refused'
  refusal?: { code: string; message: string }
  /** The server had confirmed it, and went back to an older copy since. */
  isRepeat?: true
}
export type NewCommitmentEntry = Omit<CommitmentEntry, 'seq'>

/** One the server has confirmed. If the server goes back to an older copy (`generation` tells), it's sent again. */
export type ConfirmedCommitment = CommitmentEntry & { confirmedAt: number; generation: string }

/** `version`: of the rows stored here, as the server named it. */
export type CommitmentsRow = Retry & { key: 'commitments'; attempts: number; version: string }

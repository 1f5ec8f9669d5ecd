import * as v from 'valibot'
import { agreementAuthors } from '#shared/values/column-values.ts'
import { commitmentStates } from '#shared/values/commitment-values.ts'
import { ClockTime, Day, Id, Page, RequiredLine } from './fields.ts'
import { DeviceId, RejectedChange } from './progress.ts'

export const commitmentTextLimit = 200

export const CommitmentState = v.picklist(commitmentStates)
export type CommitmentState = v.InferOutput<typeof CommitmentState>

const fields = {
  text: v.optional(RequiredLine('Text', commitmentTextLimit)),
  /** In Europe/London. */
  day: v.optional(Day),
  state: v.optional(v.picklist(['open', 'done', 'dropped'])),
}

/**
 * One change: a new commitment has a text and a day. Each field that's named carries this change's stamp. The phone makes the ids,
 * UUIDv7; `at` is its corrected clock, and `counter` is greater than that of any change it has made or received.
 */
export const CommitmentChange = v.object({
  id: Id,
  commitmentId: Id,
  ...fields,
  /** Of a new one: the video or call it came from. */
  videoId: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(64))),
  callId: v.optional(Id),
  at: ClockTime,
  counter: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(Number.MAX_SAFE_INTEGER)),
})
export type CommitmentChange = v.InferOutput<typeof CommitmentChange>

/** The stamp of a field. */
export const FieldStamp = v.object({ at: v.string(), counter: v.number(), deviceId: v.string(), changeId: v.string() })
export type FieldStamp = v.InferOutput<typeof FieldStamp>

export const Commitment = v.object({
  id: v.string(),
  madeBy: v.picklist(agreementAuthors),
  text: v.string(),
  day: v.string(),
  state: CommitmentState,
  /** The London day on which it was done. */
  doneOn: v.nullable(v.string()),
  video: v.nullable(v.object({ id: v.string(), slug: v.string(), title: v.string() })),
  call: v.nullable(v.object({ id: v.string(), startsAt: v.string() })),
  createdAt: v.string(),
})
export type Commitment = v.InferOutput<typeof Commitment>

export const SyncCommitment = v.object({
  ...Commitment.entries,
  stamps: v.object({ text: FieldStamp, day: FieldStamp, state: FieldStamp }),
})
export type SyncCommitment = v.InferOutput<typeof SyncCommitment>

/** As for ticks: changes are checked one by one, and an empty request whose version is known gets a 204. */
export const CommitmentSyncRequest = v.object({
  memberId: v.optional(v.string()),
  deviceId: DeviceId,
  version: v.optional(v.pipe(v.string(), v.maxLength(64))),
  changes: v.pipe(v.array(v.unknown()), v.maxLength(200, 'Up to 200 changes at once.')),
})
export type CommitmentSyncRequest = v.InferOutput<typeof CommitmentSyncRequest>

/** Of those due in the month: how many there were, and how many were done by their last agreed day. */
export const KeptShare = v.object({ month: v.string(), due: v.number(), kept: v.number() })
export type KeptShare = v.InferOutput<typeof KeptShare>

export const CommitmentSyncResponse = v.object({
  serverTime: v.string(),
  items: v.array(SyncCommitment),
  rejected: v.array(RejectedChange),
  version: v.string(),
  generation: v.string(),
})
export type CommitmentSyncResponse = v.InferOutput<typeof CommitmentSyncResponse>

/** What an owner proposes. `callId` if it's a line of what was agreed in a call. */
export const CommitmentProposal = v.strictObject({
  id: Id,
  text: RequiredLine('Text', commitmentTextLimit),
  day: Day,
  callId: v.optional(v.nullable(Id), null),
})
export type CommitmentProposal = v.InferOutput<typeof CommitmentProposal>

/** What owners see of a member's: the open ones first, by day, then the others. */
export const MemberCommitments = v.object({ commitments: v.array(Commitment), months: v.array(KeptShare) })
export type MemberCommitments = v.InferOutput<typeof MemberCommitments>

/**
 * Members' open commitments, the next due first. `due`: as owners' Monday mail has them, of tiers with weekly accountability. `week`:
 * those of this London week (Monday to Sunday); `late`: from before it. Or all, of every tier.
 */
export const CommitmentListQuery = v.object({
  ...Page.entries,
  due: v.optional(v.picklist(['week', 'late', 'all'])),
})
export type CommitmentListQuery = v.InferOutput<typeof CommitmentListQuery>

export const ListedCommitment = v.object({
  ...Commitment.entries,
  member: v.object({ id: v.string(), name: v.string(), email: v.string(), tier: v.nullable(v.string()) }),
})
export type ListedCommitment = v.InferOutput<typeof ListedCommitment>
export const ListedCommitmentList = v.array(ListedCommitment)

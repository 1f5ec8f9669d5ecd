import type { Context } from '#api/context.ts'
import { upsert } from '#api/db/insert.ts'
import { videoPositions } from '#api/db/schema/videos.ts'
import type { PositionChange, SyncPosition } from '#shared/contract/progress.ts'
import { clampAhead, isLaterPosition, type Position } from '#shared/rules/progress-merge.ts'
import { positionsOfMember } from './queries.ts'
import type { Ticker } from './visibility-service.ts'

type Received = { deviceId: string; positions: readonly PositionChange[]; received: number }

/** Stores newer positions and returns all the member's rows. */
export function applyPositions(
  ctx: Context,
  member: Ticker,
  { deviceId, positions, received }: Received,
): SyncPosition[] {
  const rows = new Map(positionsOfMember.all(ctx, { userId: member.id }).map((row) => [row.videoId, row]))
  for (const { videoId, seconds, at } of positions) {
    const incoming = { seconds, at: clampAhead(Date.parse(at), received), deviceId }
    const stored = rows.get(videoId)
    if (!isLaterPosition(incoming, stored ? toPosition(stored) : null, received)) continue
    const row = { videoId, ...incoming, at: new Date(incoming.at).toISOString() }
    upsert(ctx, videoPositions, { userId: member.id, ...row })
    rows.set(videoId, row)
  }
  return [...rows.values()]
}

const toPosition = ({ seconds, at, deviceId }: SyncPosition): Position => ({ seconds, at: Date.parse(at), deviceId })

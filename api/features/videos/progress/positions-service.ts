import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { upsert } from '#api/db/insert.ts'
import { videoPositions } from '#api/db/schema/videos.ts'
import { PositionChange, type SyncPosition } from '#shared/contract/progress.ts'
import { clampAhead, isLaterPosition, type Position } from '#shared/rules/progress-merge.ts'
import { positionsOfMember } from './queries.ts'
import { type Ticker, visibleVideos } from './visibility-service.ts'

type Received = { deviceId: string; positions: readonly unknown[]; received: number }

/** Stores newer positions and returns all the member's rows. Skips invalid ones, which the phone can recreate. */
export function applyPositions(
  ctx: Context,
  member: Ticker,
  { deviceId, positions, received }: Received,
): SyncPosition[] {
  const rows = new Map(positionsOfMember.all(ctx, { userId: member.id }).map((row) => [row.videoId, row]))
  for (const { videoId, seconds, at } of readPositions(ctx, member, positions)) {
    const incoming = { seconds, at: clampAhead(Date.parse(at), received), deviceId }
    const stored = rows.get(videoId)
    if (!isLaterPosition(incoming, stored ? toPosition(stored) : null, received)) continue
    const row = { videoId, ...incoming, at: new Date(incoming.at).toISOString() }
    upsert(ctx, videoPositions, { userId: member.id, ...row })
    rows.set(videoId, row)
  }
  return [...rows.values()]
}

function readPositions(ctx: Context, member: Ticker, inputs: readonly unknown[]): PositionChange[] {
  const readable = inputs.flatMap((input) => {
    const { success, output } = v.safeParse(PositionChange, input)
    return success ? [output] : []
  })
  const isVisible = visibleVideos(
    ctx,
    member,
    readable.map(({ videoId }) => videoId),
  )
  return readable.filter(({ videoId }) => isVisible.has(videoId))
}

const toPosition = ({ seconds, at, deviceId }: SyncPosition): Position => ({ seconds, at: Date.parse(at), deviceId })

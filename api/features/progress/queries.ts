import type { Context } from '#api/context.ts'
import type { Stamp } from '#shared/rules/progress.ts'

/** What is stored of one member and one video, with the stamp of the change that won. */
export type StoredProgress = {
  videoId: string
  completed: 0 | 1
  completedAt: string | null
  at: string
  counter: number
  deviceId: string
  changeId: string
}

export type VideoAccess = { isPublished: 0 | 1; tierAccess: string }

/** Id, member, the columns of `StoredProgress` in their order, and twice the time: by place, which binds quicker than by name. */
type StoredValues = [string, string, ...ProgressValues, string, string]
type ProgressValues = [string, 0 | 1, string | null, string, number, string, string]

const columns = 'videoId, completed, completedAt, at, counter, deviceId, changeId'

function prepare({ sqlite }: Context) {
  return {
    allOf: sqlite.prepare<[string], StoredProgress>(
      `select ${columns} from video_progress where userId = +? order by videoId`,
    ),
    one: sqlite.prepare<[string, string], StoredProgress>(
      `select ${columns} from video_progress where userId = ? and videoId = ?`,
    ),
    video: sqlite.prepare<[string], VideoAccess>('select isPublished, tierAccess from member_videos where id = ?'),
    isKnown: sqlite.prepare<[string, string], { known: 1 }>(
      'select 1 as known from applied_changes where userId = ? and changeId = ?',
    ),
    remember: sqlite.prepare<[string, string, string]>(
      'insert into applied_changes (userId, changeId, receivedAt) values (?, ?, ?) on conflict do nothing',
    ),
    store: sqlite.prepare<StoredValues>(
      `insert into video_progress (id, userId, ${columns}, createdAt, updatedAt)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       on conflict (userId, videoId) do update set completed = excluded.completed, completedAt = excluded.completedAt,
         at = excluded.at, counter = excluded.counter, deviceId = excluded.deviceId, changeId = excluded.changeId,
         updatedAt = excluded.updatedAt`,
    ),
  }
}

type Prepared = ReturnType<typeof prepare>
const kept = new WeakMap<Context, Prepared>()

/** The statements of this feature, prepared once: a tick runs them in the time it takes to prepare one. */
export function progressStatements(ctx: Context): Prepared {
  const found = kept.get(ctx) ?? prepare(ctx)
  kept.set(ctx, found)
  return found
}

export const stampOf = ({ at, counter, deviceId, changeId }: StoredProgress): Stamp => ({
  at: Date.parse(at),
  counter,
  deviceId,
  changeId,
})

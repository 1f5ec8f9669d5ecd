import type { Context } from '#api/context.ts'
import { isWholeFile, mediaFile } from '#api/features/media/store-service.ts'
import { findTools } from '#api/video-files/tools.ts'
import { wakeVersions } from '#api/video-files/wake-up.ts'
import { type VersionForm, versionForms } from '#shared/contract/video-versions.ts'
import { forgetVersion, makeVersion, reuseVersion } from './making-service.ts'
import { type VersionsRow, videosWithVersions } from './versions-queries.ts'
import { isLeftOver, standingOf, type VideoFile } from './versions-rules.ts'

/** Why a run ends early, when it's no fault of the file. */
const waits = {
  stopped: 'the server was stopped',
  unable: 'ffmpeg can’t write H.264 and AAC',
  full: 'there’s no room for more files',
}

/**
 * Makes what one file is missing of light version and sound, then asks to be run again for the next. So a run's report says how
 * many are left, and a server that's stopped loses one version at most.
 */
export async function makeVersions(ctx: Context, { stopping }: { stopping: AbortSignal | undefined }) {
  forgetLeftOvers(ctx)
  const tasks = listTasks(ctx)
  const report = { made: 0, refused: 0, left: tasks.length }
  const [first] = tasks
  if (first === undefined) return report
  const tools = findTools(ctx)
  if (tools === null) return { ...report, waits: 'ffmpeg isn’t on this machine' }
  const { film: videoFile } = first
  const forms = versionForms.filter((form) => tasks.some((task) => task.form === form && isSame(task.film, videoFile)))
  for (const form of forms) {
    const outcome = reuseVersion(ctx, { film: videoFile, form })
      ? 'made'
      : await makeVersion(ctx, tools, { film: videoFile, form, stopping })
    if (outcome === 'stopped' || outcome === 'unable' || outcome === 'full') return { ...report, waits: waits[outcome] }
    report[outcome] += 1
    report.left = listTasks(ctx).length
  }
  if (report.left > 0) wakeVersions(ctx)
  return report
}

const isSame = (one: VideoFile, other: VideoFile) => one.sha256 === other.sha256

function forgetLeftOvers(ctx: Context): void {
  for (const row of videosWithVersions.all(ctx, { videoId: null }))
    for (const form of versionForms) if (isLeftOver(row, form)) forgetVersion(ctx, row, form)
}

const listTasks = (ctx: Context) => videosWithVersions.all(ctx, { videoId: null }).flatMap((row) => tasksOf(ctx, row))

/** Owners have to upload a damaged file again. */
function tasksOf(ctx: Context, row: VersionsRow): { film: VideoFile; form: VersionForm }[] {
  const { film: videoFile } = row
  if (videoFile === null || !isWholeFile(mediaFile(ctx, videoFile), videoFile.bytes)) return []
  return versionForms
    .filter((form) => standingOf(row, form).state === 'waiting')
    .map((form) => ({ film: videoFile, form }))
}

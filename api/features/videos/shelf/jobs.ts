import type { Context } from '#api/context.ts'
import { isWholeFile, mediaFile } from '#api/features/media/store-service.ts'
import { findTools } from '#api/films/tools.ts'
import { wakeVersions } from '#api/films/wake-up.ts'
import { type VersionForm, versionForms } from '#shared/contract/lesson-versions.ts'
import { forgetVersion, makeVersion, reuseVersion } from './making-service.ts'
import { type FilmRow, filmsWithVersions } from './versions-queries.ts'
import { type Film, isLeftOver, standingOf } from './versions-rules.ts'

/** Why a run ends early, when it's no fault of the film. */
const waits = {
  stopped: 'the server was stopped',
  unable: 'ffmpeg can’t write H.264 and AAC',
  full: 'there’s no room for more files',
}

/**
 * Makes what one film is missing of light version and sound, then asks to be run again for the next. So a run's report says how
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
  const { film } = first
  const forms = versionForms.filter((form) => tasks.some((task) => task.form === form && isSame(task.film, film)))
  for (const form of forms) {
    const outcome = reuseVersion(ctx, { film, form }) ? 'made' : await makeVersion(ctx, tools, { film, form, stopping })
    if (outcome === 'stopped' || outcome === 'unable' || outcome === 'full') return { ...report, waits: waits[outcome] }
    report[outcome] += 1
    report.left = listTasks(ctx).length
  }
  if (report.left > 0) wakeVersions(ctx)
  return report
}

const isSame = (one: Film, other: Film) => one.sha256 === other.sha256

function forgetLeftOvers(ctx: Context): void {
  for (const row of filmsWithVersions.all(ctx, { videoId: null }))
    for (const form of versionForms) if (isLeftOver(row, form)) forgetVersion(ctx, row, form)
}

const listTasks = (ctx: Context) => filmsWithVersions.all(ctx, { videoId: null }).flatMap((row) => tasksOf(ctx, row))

/** Owners have to upload a damaged film again. */
function tasksOf(ctx: Context, row: FilmRow): { film: Film; form: VersionForm }[] {
  const { film } = row
  if (film === null || !isWholeFile(mediaFile(ctx, film), film.bytes)) return []
  return versionForms.filter((form) => standingOf(row, form).state === 'waiting').map((form) => ({ film, form }))
}

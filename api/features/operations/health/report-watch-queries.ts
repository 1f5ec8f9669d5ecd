import type { Context } from '#api/context.ts'
import { readSetting } from '#api/db/stored-settings.ts'
import { reportKinds } from '#shared/contract/report.ts'
import { reportSilenceMs } from '#shared/rules/report-days.ts'

/** Whether cron still runs the watched reports; undefined if none is. Ignores runs dated in the future. */
export function readReportWatch(ctx: Context): 'alive' | 'missing' | undefined {
  const watched = reportKinds.flatMap((kind) => {
    const row = readSetting(ctx, `report-watch.${kind}`)
    return row?.value === true ? [{ kind, at: Date.parse(row.updatedAt) }] : []
  })
  if (watched.length === 0) return undefined
  const now = ctx.now().getTime()
  return watched.every(({ kind, at }) => at <= now && now - at <= reportSilenceMs(kind)) ? 'alive' : 'missing'
}

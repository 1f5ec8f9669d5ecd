import { rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { lastBackup, writeSchedule } from '#api/features/operations/backup/jobs.ts'
import { checkNightlyBackup } from '#api/features/operations/doctor/backup-rules.ts'
import { checkDashboard } from '#api/features/operations/doctor/dashboard-rules.ts'
import { checkFailedPayments } from '#api/features/operations/doctor/failed-payments-rules.ts'
import { checkFolder } from '#api/features/operations/doctor/folder-rules.ts'
import { checkInvoices } from '#api/features/operations/doctor/invoices-rules.ts'
import { checkMedia } from '#api/features/operations/doctor/media-rules.ts'
import { checkPayments } from '#api/features/operations/doctor/payments-rules.ts'
import { checkPush } from '#api/features/operations/doctor/push-rules.ts'
import { checkContent, checkMailServer, checkSeller } from '#api/features/operations/doctor/settings-rules.ts'
import { jobs } from '#api/features/operations/jobs/list-service.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { siteSettings } from '#api/site/settings.ts'
import { startWorld } from '#api/testing/world.ts'
import { openDataFolder } from '#cli/testing/server.ts'
import { purposeOf } from '#pwa/features/admin/kit/jobs/system-texts.ts'
import { findingText } from './system-texts.ts'

test('what any check of the server may find has a title and advice in an owner’s words, with no command in them', async () => {
  const { ctx } = startWorld()
  const { db, settings } = ctx
  const now = ctx.now()
  const unscheduled = checkNightlyBackup(ctx, now)
  writeSchedule(ctx, {
    at: '03:15',
    folder: settings.dataDir,
    keep: { days: 7, weeks: 5, months: 12 },
    passphraseFile: null,
  })
  const checks = [
    ...unscheduled,
    ...checkPayments(db, now, ctx.billingNow),
    ...checkInvoices(db, ctx.billingNow),
    ...checkDashboard(db, ctx.billingNow),
    ...checkFolder(settings.dataDir, `${settings.dataDir}/alliance.db`),
    ...checkNightlyBackup(ctx, now),
    ...[checkFailedPayments(db, ctx.billingNow), checkMedia(ctx)],
    ...[checkSeller({ isSandbox: true, vatNumber: '', samples: [] }), checkContent(true, [])],
    checkPush(settings, { site: siteSettings(ctx), refusal: null }),
    await checkMailServer({ isSandbox: true, smtpUrl: undefined, isSampleSender: false }),
  ]
  const names = ['integrity', ...checks.map(({ name }) => name)]
  const unsaid = names.filter((check) => {
    const { title, advice } = findingText({ check })
    return title === check || advice === '' || /\balliance [a-z]|[A-Z]_[A-Z]/.test(advice)
  })
  expect([names.length, unsaid]).toEqual([32, []])
})

test('every job says in an owner’s words what it’s for', () => {
  expect(jobs.filter((job) => purposeOf(job) === job.name)).toEqual([])
})

test('where the file of the last nightly backup is gone, no advice names a run that would make none for that day', {
  tags: ['full'],
}, async () => {
  const folder = openDataFolder()
  try {
    const { ctx } = folder.world
    await folder.local('backup schedule 03:15')
    const missed = new Date(ctx.now().getTime() + 3 * 86_400_000)
    const adviceAt = (now: Date) =>
      checkNightlyBackup(ctx, now)
        .filter(({ state }) => state !== 'ok')
        .map(({ name: check }) => findingText({ check }))
    expect(adviceAt(missed).map(({ run }) => run?.job)).toContain('backup')
    await runJob(ctx, 'backup')
    rmSync(lastBackup(ctx)?.file ?? '')
    expect(adviceAt(ctx.now()).map(({ advice }) => advice)).toContainEqual(
      expect.stringMatching(/whoever hosts your site/),
    )
    expect(adviceAt(ctx.now()).map(({ run }) => run)).not.toContainEqual(expect.anything())
  } finally {
    folder.close()
  }
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectFolder } from '#api/project.ts'
import { startWorld } from '#api/testing/world.ts'

test('live subscriptions that owners were told of are marked, in one pass over the audit log', () => {
  const world = startWorld()
  const { sqlite } = world.ctx
  for (let at = 0; at < 5; at += 1) world.addMember()
  sqlite.exec(`update subscriptions set stripePriceId = 'price_' || rowid;
    update subscriptions set stripePriceId = null where rowid = 2;
    insert into audit_entries (id, actor, action, targetId, detail, at)
      select id, 'system', 'subscription.unrecognised', customerId,
        json_object('subscription', id, 'price', iif(rowid = 3, 'another', stripePriceId)), created
      from subscriptions where rowid < 5;
    update subscriptions set status = 'canceled', endedAt = created where rowid = 4`)
  const migration = readFileSync(join(projectFolder, 'data/migrations/0076_unrecognised.sql'), 'utf8')
  const marking = migration.split('--> statement-breakpoint')[1] ?? ''
  sqlite.exec(marking)
  expect(sqlite.prepare('select rowid from subscriptions where isUnrecognised order by rowid').pluck().all()).toEqual([
    1, 2,
  ])
  const plan = sqlite.prepare<[], { detail: string }>(`explain query plan ${marking}`).all()
  expect(plan.map(({ detail }) => detail).join()).not.toContain('CORRELATED')
})

import type { Context } from '#api/context.ts'
import { addManyMembers } from './many-members.ts'

/** So many members with a phone each, who want to hear of new videos. Their phones can't be sent to. */
export function addReceivers({ sqlite }: Pick<Context, 'sqlite'>, count: number): void {
  // A fifth of them have left.
  addManyMembers({ sqlite }, Math.ceil((count * 5) / 4))
  const active = `select userId from customers join subscriptions on customerId = customers.id
    where status = 'active' and stripeCustomerId like 'cus_many%' limit ${count}`
  const at = `'2026-04-01T09:00:00.000Z'`
  sqlite.exec(`insert into sessions (sid, sess, expire, userId, createdAt)
      select 'sid-' || userId, '{}', '2099-01-01T09:00:00.000Z', userId, ${at} from (${active});
    insert into push_subscriptions (id, sid, userId, endpoint, p256dh, auth, renewedAt, createdAt)
      select 'phone-' || userId, 'sid-' || userId, userId, 'https://push.example/' || userId, '', '', ${at}, ${at} from (${active});
    insert into notice_choices (userId, kind, byPush, changedAt) select userId, 'video', 1, ${at} from (${active})`)
}

import { insertRow } from '#api/db/insert.ts'
import { callHours } from '#api/db/schema/calendar.ts'
import { invalidateResponses } from '#api/serving/kept-answers.ts'
import { type CallKind, callKinds, weekdays } from '#shared/contract/call-kind.ts'
import type { World } from './world.ts'

/** Opens both coaches' calendars every day from 9 to 11, London time. */
export function openCalendar({ ctx }: World, kinds: readonly CallKind[] = callKinds): void {
  const windows = [{ opens: '09:00', closes: '11:00' }]
  const updatedAt = ctx.now().toISOString()
  for (const coach of ['coach-1', 'coach-2'])
    for (const kind of kinds)
      for (const weekday of weekdays)
        insertRow(ctx, callHours, { id: ctx.newId(), coach, kind, weekday, windows, updatedAt })
  invalidateResponses(ctx)
}

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type NamedWeek, weekText } from '#pwa/features/admin/kit/calendar/calendar-texts.ts'
import { setupQuery } from '#pwa/features/admin/kit/calendar/queries.ts'
import type { Column } from '#pwa/features/admin/kit/list/list-table.tsx'
import { ShortList } from '#pwa/features/admin/kit/list/short-list.tsx'
import { Button } from '#pwa/ui/button.tsx'
import type { CallSetup } from '#shared/contract/calendar.ts'
import { callKinds, callNames, callWithin } from '#shared/contract/call-kind.ts'
import type { CallWeek } from '#shared/contract/owner-calendar.ts'
import { callWeek } from '#shared/rules/call-slots.ts'
import { CallsOutside, NoHours } from './hours-notices.tsx'
import { WeekFormDialog } from './week-form.tsx'

const weeksOf = ({ coaches, hours }: CallSetup): NamedWeek[] =>
  coaches.flatMap(({ id, name }) =>
    callKinds.map((kind) => ({ ...callWeek(hours, { coach: id, kind }), coachName: name })),
  )

const hoursText = (week: CallWeek) => weekText(week) || 'No calls of this kind'

const columns: readonly Column<NamedWeek>[] = [
  { label: 'Coach', kind: 'who', cell: ({ coachName }) => coachName, text: ({ coachName }) => coachName },
  { label: 'Call', cell: ({ kind }) => callNames[kind], text: ({ kind }) => callNames[kind] },
  { label: 'Hours', cell: hoursText, text: hoursText },
]

const idOf = ({ coach, kind }: CallWeek) => `${coach}:${kind}`

/** A coach without hours for a kind of call takes none. */
export function HoursSection() {
  const setup = useQuery(setupQuery)
  const [openId, setOpen] = useState<string | null>(null)
  const weeks = setup.data && weeksOf(setup.data)
  const open = weeks?.find((week) => idOf(week) === openId)
  return (
    <>
      <ShortList
        title="Weekly hours"
        name="hours"
        query={{ ...setup, data: weeks }}
        columns={columns}
        idOf={idOf}
        before={
          setup.data && (
            <>
              <NoHours setup={setup.data} />
              <CallsOutside setup={setup.data} />
            </>
          )
        }
        note="UK time. Changes go live straight away. Calls already booked stay booked. We list any that no longer fit."
        actions={(week) => (
          <Button
            look="line"
            isSmall
            aria-haspopup="dialog"
            aria-label={`Change ${week.coachName}’s hours, ${callWithin(week.kind)}`}
            onClick={() => setOpen(idOf(week))}
          >
            Change
          </Button>
        )}
      />
      {open && (
        <WeekFormDialog
          week={open}
          others={(weeks ?? []).filter((other) => idOf(other) !== openId && weekText(other) !== '')}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  )
}

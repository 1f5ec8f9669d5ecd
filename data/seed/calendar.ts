import type { CallWindow } from '#shared/contract/calendar.ts'
import type { CallKind, Weekday } from '#shared/contract/call-kind.ts'

type HoursSeed = { coach: string; kinds: readonly CallKind[]; weekdays: readonly Weekday[]; windows: CallWindow[] }

const all: readonly CallKind[] = ['coaching', 'catch-up', 'consultation', 'sales']

/** When the sandbox's coaches take calls: the first on weekdays, the second every day, both when a tradesman isn't on site. */
export const callHourSeeds: readonly HoursSeed[] = [
  {
    coach: 'coach-1',
    kinds: all,
    weekdays: ['mon', 'tue', 'wed', 'thu', 'fri'],
    windows: [
      { opens: '07:00', closes: '09:00' },
      { opens: '12:00', closes: '13:30' },
      { opens: '16:30', closes: '19:00' },
    ],
  },
  {
    coach: 'coach-2',
    kinds: all,
    weekdays: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
    windows: [
      { opens: '10:00', closes: '12:00' },
      { opens: '17:00', closes: '20:00' },
    ],
  },
]

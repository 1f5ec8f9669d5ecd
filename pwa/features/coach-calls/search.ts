import type { OwnCallSearch } from '#pwa/features/calendar/own-call-page.tsx'

/** `coach`: the id of the coach whose calendar to open. The others lead to our own calendar's pages. */
export type CoachCallSearch = OwnCallSearch & { coach?: string }

export function readCoachCallSearch({ call, coach, for: kind }: Record<string, unknown>): CoachCallSearch {
  return {
    ...(typeof call === 'string' ? { call } : {}),
    ...(typeof coach === 'string' ? { coach } : {}),
    ...(kind === 'consultation' || kind === 'sales' ? { for: kind } : {}),
  }
}

import { useSyncExternalStore } from 'react'

const never = () => () => {}

/** Today where the reader is; the server does not know when its page is read. */
const useToday = () =>
  useSyncExternalStore(
    never,
    () => new Date().toDateString(),
    () => '',
  )

/** The leaf of the tear-off calendar: today, and before that is known the number of the quote. */
export const CalendarLeaf = ({ place, count }: { place: number; count: number }) => {
  const today = useToday()
  if (!today)
    return (
      <p className="quote__leaf">
        Quote <b>{place}</b> of {count}
      </p>
    )
  const day = new Date(today)
  const said = (options: Intl.DateTimeFormatOptions) => day.toLocaleDateString('en-GB', options)
  return (
    <p className="quote__leaf">
      {said({ weekday: 'long' })} <b>{said({ day: 'numeric' })}</b> {said({ month: 'long' })}
    </p>
  )
}

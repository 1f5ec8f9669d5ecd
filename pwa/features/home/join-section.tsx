import { ButtonLink } from '#pwa/ui/button.tsx'
import type { HomeText } from '#shared/contract/texts/home.ts'

type Props = { text: HomeText['join'] }

const weekDays: readonly Props['text']['callDay'][] = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** Weekly calls and support at all hours, and the way in. */
export const JoinSection = ({ text: { name, heading, callDay, hours, calls, support } }: Props) => (
  <section className="page-section page-section--follows">
    <div className="wrap">
      <p className="page-section__no">{name}</p>
      <div className="joining">
        <div>
          <h2>{heading}</h2>
          <div>
            <h3>{calls.title}</h3>
            <p>{calls.text}</p>
          </div>
          <div className="week" aria-hidden="true">
            {weekDays.map((day) => (
              <span key={day} className={day === callDay ? 'on' : undefined}>
                {day.charAt(0)}
                {day === callDay && <b>CALL</b>}
              </span>
            ))}
          </div>
        </div>
        <div>
          <p className="big247" aria-hidden="true">
            {hours}
          </p>
          <div>
            <h3>{support.title}</h3>
            <p>{support.text}</p>
          </div>
          <div>
            <ButtonLink to="/membership-application" icon="arrow">
              JOIN THE MOVEMENT
            </ButtonLink>
          </div>
        </div>
      </div>
    </div>
  </section>
)

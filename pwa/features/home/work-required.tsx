import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { Level, TapeMeasure, Van } from './elevations.tsx'

const jobs = [
  {
    title: 'More time',
    Drawing: Van,
    text: 'Time management and boundaries that hold, so the diary stops filling itself and the van is home while it’s light.',
  },
  {
    title: 'More freedom',
    Drawing: Level,
    text: 'Build a team and hand work over, so the business stays level on a day you are not there.',
  },
  {
    title: 'More profit',
    Drawing: TapeMeasure,
    text: 'Pricing and profit, worked out from your own figures, so a full week pays like one.',
  },
]

/** The three benefits, as a job sheet. */
export const WorkRequired = () => (
  <section className="job">
    <div className="wrap">
      <p className="job__no">Work required</p>
      <div className="job__head">
        <h2>Three jobs. All yours.</h2>
        <p className="lead">You know how to run a job. This is how to run what the job belongs to.</p>
      </div>
      <div>
        <div className="sheet sheet--pad">
          <SheetHead />
          <ol className="work">
            {jobs.map(({ title, Drawing, text }, place) => (
              <li key={title}>
                <h3>
                  <small>Job {place + 1}</small> {title}
                </h3>
                <Drawing />
                <p>{text}</p>
              </li>
            ))}
          </ol>
        </div>
      </div>
    </div>
  </section>
)

const SheetHead = () => {
  const { brand } = useSiteContent()
  const cells = [
    ['Customer', 'You'],
    ['Trade', 'Plumber, electrician, heating, builder'],
    ['Site', 'Your business'],
    ['Since', brand.founded],
  ]
  return (
    <div className="cells">
      {cells.map(([label, value]) => (
        <div key={label}>
          <span className="label">{label}</span>
          <b>{value}</b>
        </div>
      ))}
    </div>
  )
}

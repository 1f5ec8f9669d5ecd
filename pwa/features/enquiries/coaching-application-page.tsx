import type { CoachingApplicationText } from '#shared/contract/texts/coaching-application.ts'

export const CoachingApplicationPage = ({ text }: { text: CoachingApplicationText }) => (
  <section className="job">
    <div className="wrap">
      <h1>{text.title}</h1>
    </div>
  </section>
)

import type { CoachingText } from '#shared/contract/texts/coaching.ts'

export const CoachingPage = ({ text }: { text: CoachingText }) => (
  <section className="job">
    <div className="wrap">
      <h1>{text.title}</h1>
    </div>
  </section>
)

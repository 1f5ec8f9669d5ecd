import type { AboutText } from '#shared/contract/texts/about.ts'

export const AboutPage = ({ text }: { text: AboutText }) => (
  <section className="job">
    <div className="wrap">
      <h1>{text.title}</h1>
    </div>
  </section>
)

import type { WebsiteBuildsText } from '#shared/contract/texts/website-builds.ts'

export const WebsiteBuildsPage = ({ text }: { text: WebsiteBuildsText }) => (
  <section className="job">
    <div className="wrap">
      <h1>{text.title}</h1>
    </div>
  </section>
)

import { ButtonLink } from '#pwa/ui/button.tsx'

/** The page for every path that leads nowhere. */
export const NotFound = () => (
  <section className="page-section">
    <div className="wrap">
      <p className="page-section__no">Not on the sheet</p>
      <div className="page-section__head">
        <h1>404 Page Not Found</h1>
        <p className="lead">
          Nothing is built at this address. It may have moved, or a letter went missing on the way.
        </p>
      </div>
      <div>
        <ButtonLink to="/" icon="arrow">
          Back to the front page
        </ButtonLink>
      </div>
    </div>
  </section>
)

import { notFoundTitle } from '#pwa/lib/page-head.ts'
import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { useTitle } from '#pwa/lib/use-title.ts'
import { ButtonLink } from '#pwa/ui/button.tsx'

/** For an address under an existing route, without a page: only that route's title says otherwise. */
export function UnknownPage() {
  useTitle(notFoundTitle(useSiteContent().brand.name))
  return <NotFoundPage />
}

export const NotFoundPage = () => (
  <section className="page-section">
    <div className="wrap">
      <p className="page-section__no">Not on the sheet</p>
      <div className="page-section__head">
        <h1>404 Page Not Found</h1>
        <p className="lead">Nothing’s built at this address. It may have moved, or there’s a typo in the link.</p>
      </div>
      <div>
        <ButtonLink to="/" icon="arrow">
          Back to home
        </ButtonLink>
      </div>
    </div>
  </section>
)

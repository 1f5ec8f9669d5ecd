import type { ErrorComponentProps } from '@tanstack/react-router'
import { ErrorPage } from '#pwa/features/chrome/error-page.tsx'
import { isOffline } from '#pwa/lib/request-error.ts'
import { ButtonLink } from '#pwa/ui/button.tsx'

export const PostNotFound = () => (
  <section className="page-section">
    <div className="wrap">
      <p className="page-section__no">Blog</p>
      <div className="page-section__head">
        <h1>POST NOT FOUND</h1>
        <p className="lead">We can’t find that post. It may have been taken down.</p>
      </div>
      <div>
        <ButtonLink to="/blog" icon="arrow">
          Back to the blog
        </ButtonLink>
      </div>
    </div>
  </section>
)

/** Without signal we can't know if the post exists. */
export const PostFailed = (props: ErrorComponentProps) =>
  isOffline(props.error) ? <ErrorPage {...props} /> : <PostNotFound />

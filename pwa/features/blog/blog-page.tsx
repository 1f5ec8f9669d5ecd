import { ButtonLink } from '#pwa/ui/button.tsx'
import { EmptyState } from '#pwa/ui/empty-state.tsx'
import { PageSection } from '#pwa/ui/page-section.tsx'
import type { BlogPostList } from '#shared/contract/blog.ts'
import type { BlogText } from '#shared/contract/texts/blog.ts'
import { FeaturedPost } from './featured-post.tsx'
import { PostCard } from './post-card.tsx'

/** Every published post: the newest one large, the rest in three columns. */
export const BlogPage = ({ text, posts: [first, ...rest] }: { text: BlogText; posts: BlogPostList }) => (
  <>
    <section className="page-section">
      <div className="wrap">
        <p className="page-section__no">{text.name}</p>
        <div className="page-section__head">
          <h1>{text.heading}</h1>
          <p className="lead">{text.lead}</p>
        </div>
        {first ? <FeaturedPost post={first} /> : <NothingYet empty={text.empty} />}
      </div>
    </section>
    {rest.length > 0 && (
      <PageSection section={text.older} follows>
        <ul className="posts">
          {rest.map((post) => (
            <PostCard key={post.id} post={post} />
          ))}
        </ul>
      </PageSection>
    )}
  </>
)

const NothingYet = ({ empty: { heading, text, action } }: Pick<BlogText, 'empty'>) => (
  <EmptyState
    title={heading}
    action={
      <ButtonLink to="/podcast" icon="arrow">
        {action}
      </ButtonLink>
    }
  >
    {text}
  </EmptyState>
)

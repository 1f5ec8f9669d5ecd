import { Link } from '@tanstack/react-router'
import { ButtonLink } from '#pwa/ui/button.tsx'
import { EmptyState } from '#pwa/ui/empty-state.tsx'
import { PageSection } from '#pwa/ui/page-section.tsx'
import type { BlogPostList, BlogPostSummary } from '#shared/contract/blog.ts'
import type { BlogText } from '#shared/contract/texts/blog.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { PostDetails, PostPicture } from './post-details.tsx'
import { publishedOn } from './post-texts.ts'

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
    level={2}
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

const FeaturedPost = ({ post }: { post: BlogPostSummary }) => (
  <article className="sheet sheet--pad newest">
    <PostDetails post={post} />
    <div className="pair pair--late">
      <div className="stack">
        <h2>
          <Link to="/blog/$slug" params={{ slug: post.slug }}>
            {post.title}
          </Link>
        </h2>
        {post.excerpt && <p className="lead">{post.excerpt}</p>}
        <ButtonLink to="/blog/$slug" params={{ slug: post.slug }} icon="arrow">
          Read it <span className="vh">: {post.title}</span>
        </ButtonLink>
      </div>
      <PostPicture post={post} isFirst />
    </div>
  </article>
)

const PostCard = ({ post }: { post: BlogPostSummary }) => {
  const day = publishedOn(post)
  return (
    <li className="post">
      <PostPicture post={post} />
      <p className="label">
        <time dateTime={day}>{formatLongDate(day)}</time>, {post.readingMinutes} min
      </p>
      <h3>
        <Link to="/blog/$slug" params={{ slug: post.slug }}>
          {post.title}
        </Link>
      </h3>
      {post.excerpt && <p>{post.excerpt}</p>}
    </li>
  )
}

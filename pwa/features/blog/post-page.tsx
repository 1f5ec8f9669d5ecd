import { Link } from '@tanstack/react-router'
import { ButtonLink } from '#pwa/ui/button.tsx'
import { ClosingSection } from '#pwa/ui/page-section.tsx'
import type { BlogPost, BlogPostSummary } from '#shared/contract/blog.ts'
import type { BlogText } from '#shared/contract/texts/blog.ts'
import { PostDetails, PostPicture } from './post-details.tsx'

export const PostPage = ({ post, closing }: { post: BlogPost } & Pick<BlogText, 'closing'>) => (
  <>
    <article className="page-section">
      <div className="wrap">
        <p className="page-section__no">
          <Link className="link link--tap" to="/blog">
            The blog
          </Link>
        </p>
        <PostBody post={post} />
        <Neighbours next={post.next} previous={post.previous} />
      </div>
    </article>
    <ClosingSection heading={closing.heading} lead={closing.text}>
      <ButtonLink to="/coaching" icon="arrow">
        {closing.action}
      </ButtonLink>
    </ClosingSection>
  </>
)

/** A post's heading and text. The server must have sanitised its content. */
export const PostBody = ({ post }: { post: BlogPostSummary & Pick<BlogPost, 'content'> }) => (
  <>
    <header className="article__head">
      <h1>{post.title}</h1>
      {post.excerpt && <p className="lead">{post.excerpt}</p>}
      <PostDetails post={post} />
      <PostPicture post={post} isFirst />
    </header>
    {/* biome-ignore lint/security/noDangerouslySetInnerHtml: the one place; the server has cleaned it, twice */}
    <div className="prose" dangerouslySetInnerHTML={{ __html: post.content }} />
  </>
)

const Neighbours = ({ next, previous }: Pick<BlogPost, 'next' | 'previous'>) =>
  (next ?? previous) && (
    <nav className="article__ways" aria-label="Other posts">
      {previous && (
        <Link to="/blog/$slug" params={{ slug: previous.slug }}>
          <span className="label">Previous post</span>
          <span>{previous.title}</span>
        </Link>
      )}
      {next && (
        <Link to="/blog/$slug" params={{ slug: next.slug }}>
          <span className="label">Next post</span>
          <span>{next.title}</span>
        </Link>
      )}
    </nav>
  )

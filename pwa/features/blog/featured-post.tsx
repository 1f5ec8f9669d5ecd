import { Link } from '@tanstack/react-router'
import { ButtonLink } from '#pwa/ui/button.tsx'
import type { BlogPostSummary } from '#shared/contract/blog.ts'
import { PostFacts } from './post-facts.tsx'
import { PostPicture } from './post-picture.tsx'

/** The newest post, on the sheet on top. */
export const FeaturedPost = ({ post }: { post: BlogPostSummary }) => (
  <article className="sheet sheet--pad newest">
    <PostFacts post={post} />
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
      <PostPicture address={post.featuredImage} isFirst />
    </div>
  </article>
)

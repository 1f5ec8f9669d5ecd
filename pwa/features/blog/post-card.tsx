import { Link } from '@tanstack/react-router'
import type { BlogPostSummary } from '#shared/contract/blog.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { PostPicture } from './post-picture.tsx'
import { publishedOn } from './published-on.ts'

/** One of the earlier posts; the whole of it leads there. */
export const PostCard = ({ post }: { post: BlogPostSummary }) => {
  const day = publishedOn(post)
  return (
    <li className="post">
      <PostPicture address={post.featuredImage} />
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

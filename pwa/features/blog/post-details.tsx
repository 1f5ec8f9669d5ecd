import { useLookAddress } from '#pwa/lib/picture-source.ts'
import { Picture } from '#pwa/ui/picture.tsx'
import type { BlogPostSummary } from '#shared/contract/blog.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { publishedOn } from './post-texts.ts'

export const PostDetails = ({ post }: { post: BlogPostSummary }) => {
  const day = publishedOn(post)
  return (
    <div className="cells cells--three">
      <div>
        <span className="label">Written by</span>
        <b>{post.author}</b>
      </div>
      <div>
        <span className="label">Published</span>
        <b>
          <time dateTime={day}>{formatLongDate(day)}</time>
        </b>
      </div>
      <div>
        <span className="label">Reading time</span>
        <b>{post.readingMinutes} min</b>
      </div>
    </div>
  )
}

type PictureProps = { post: Pick<BlogPostSummary, 'featuredImage' | 'featuredImageAlt'>; isFirst?: boolean }

/** A post's picture. Where the owners say nothing about it, it's passed over: the title next to it is enough. */
export function PostPicture({ post: { featuredImage: address, featuredImageAlt }, isFirst }: PictureProps) {
  const alt = featuredImageAlt ?? ''
  const source = useLookAddress(address ?? '')
  if (address?.startsWith('/media/'))
    return (
      <Picture
        name=""
        alt={alt}
        width={1200}
        height={675}
        photograph={{ image: address, alt }}
        {...(isFirst && { isFirst })}
      />
    )
  return (
    address && (
      <img
        className="picture"
        src={source}
        alt={alt}
        width={1200}
        height={675}
        decoding="async"
        loading={isFirst ? undefined : 'lazy'}
        fetchPriority={isFirst ? 'high' : undefined}
      />
    )
  )
}

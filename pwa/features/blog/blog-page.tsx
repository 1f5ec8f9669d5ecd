import { ButtonLink } from '#pwa/ui/button.tsx'
import { Empty } from '#pwa/ui/empty.tsx'
import { Job } from '#pwa/ui/job.tsx'
import type { BlogPostList } from '#shared/contract/blog.ts'
import type { BlogText } from '#shared/contract/texts/blog.ts'
import { FeaturedPost } from './featured-post.tsx'
import { PostCard } from './post-card.tsx'

/** Every published post: the newest one large, the rest in three columns. */
export const BlogPage = ({ text, posts: [first, ...rest] }: { text: BlogText; posts: BlogPostList }) => (
  <>
    <section className="job">
      <div className="wrap">
        <p className="job__no">The blog</p>
        <div className="job__head">
          <h1>{text.heading}</h1>
          <p className="lead">{text.lead}</p>
        </div>
        {first ? <FeaturedPost post={first} /> : <NothingYet />}
      </div>
    </section>
    {rest.length > 0 && (
      <Job section={{ name: 'Written before', heading: 'RECENT POSTS' }} follows>
        <ul className="posts">
          {rest.map((post) => (
            <PostCard key={post.id} post={post} />
          ))}
        </ul>
      </Job>
    )}
  </>
)

const NothingYet = () => (
  <Empty
    title="Content Coming Soon"
    action={
      <ButtonLink to="/podcast" icon="arrow">
        Listen to the podcast
      </ButtonLink>
    }
  >
    The first posts are being written. Until then, the coaches talk.
  </Empty>
)

import { ButtonLink } from '#pwa/ui/button.tsx'
import { Empty } from '#pwa/ui/empty.tsx'
import { Job } from '#pwa/ui/job.tsx'
import { PageTop } from '#pwa/ui/page-top.tsx'
import type { BlogPostList } from '#shared/contract/blog.ts'
import type { BlogText } from '#shared/contract/texts/blog.ts'
import { FeaturedPost } from './featured-post.tsx'
import { PostCard } from './post-card.tsx'

/** Every published post: the newest one large, the rest in three columns. */
export const BlogPage = ({ text, posts: [first, ...rest] }: { text: BlogText; posts: BlogPostList }) => (
  <>
    <PageTop heading={text.heading} lead={text.lead} />
    <section className="job job--follows">
      <div className="wrap">
        <p className="job__no">The newest</p>
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

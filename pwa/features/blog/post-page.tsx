import type { BlogPost } from '#shared/contract/blog.ts'

export const PostPage = ({ post }: { post: BlogPost }) => (
  <section className="job">
    <div className="wrap">
      <h1>{post.title}</h1>
    </div>
  </section>
)

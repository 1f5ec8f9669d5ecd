import type { BlogPostList } from '#shared/contract/blog.ts'
import type { BlogText } from '#shared/contract/texts/blog.ts'

export const BlogPage = ({ text }: { text: BlogText; posts: BlogPostList }) => (
  <section className="job">
    <div className="wrap">
      <h1>{text.title}</h1>
    </div>
  </section>
)

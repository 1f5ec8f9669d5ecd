import { useQuery } from '@tanstack/react-query'
import * as v from 'valibot'
import type { FormValues } from '#pwa/features/admin/draft-storage.ts'
import { adminKey } from '#pwa/features/admin/queries.ts'
import { PostBody } from '#pwa/features/blog/post-page.tsx'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { messageOf } from '#pwa/lib/request-error.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { PostPreview } from '#shared/contract/admin-post.ts'
import { PictureAddress, siteCoach } from '#shared/contract/blog.ts'
import { readPostForm } from './post-form-values.ts'
import '#pwa/features/blog/blog.css'

/** The post as readers would see it: its content comes back from the server as it would be stored. */
export function PostPreviewDialog({ values, onClose }: { values: FormValues; onClose: () => void }) {
  const content = values.content ?? ''
  const { data, error } = useQuery({
    queryKey: [adminKey, 'post-preview', content],
    queryFn: () => parseResponse(PostPreview, api.api.admin.blog.preview.post({ content })),
    staleTime: 0,
    gcTime: 0,
  })
  const now = new Date().toISOString()
  return (
    <Dialog isOpen isWide onClose={onClose} title="Preview">
      {data ? (
        <PostBody
          post={{
            ...{ id: '', slug: '', createdAt: now, ...data },
            title: values.title || 'Without a title',
            excerpt: values.excerpt || null,
            author: values.author || siteCoach,
            featuredImage: v.is(PictureAddress, values.featuredImage) ? values.featuredImage : null,
            publishedAt: readPostForm(values).publishedAt ?? now,
          }}
        />
      ) : error ? (
        <Banner tone="bad" role="alert" title={messageOf(error, 'The preview could not be made.')} />
      ) : (
        <Skeleton size="block" />
      )}
    </Dialog>
  )
}

import { useQuery } from '@tanstack/react-query'
import { Component, lazy, type ReactNode, Suspense, useRef, useState } from 'react'
import * as v from 'valibot'
import type { FormValues } from '#pwa/features/admin/kit/forms/draft-storage.ts'
import { readPublished } from '#pwa/features/admin/kit/forms/published-form.tsx'
import { writeField } from '#pwa/features/admin/kit/forms/use-written-field.ts'
import { adminKey } from '#pwa/features/admin/kit/queries.ts'
import { PostBody } from '#pwa/features/blog/post-page.tsx'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { loadFile } from '#pwa/lib/load-file.ts'
import { messageOf } from '#pwa/lib/request-error.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { TextAreaField } from '#pwa/ui/field.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { PostPreview } from '#shared/contract/admin-post.ts'
import { PictureAddress } from '#shared/contract/blog.ts'
import { siteCoach } from '#shared/values/posts.ts'
import '#pwa/features/blog/blog.css'

const PostEditor = lazy(() => loadFile(() => import('./post-editor.tsx')))

/** The editor would drop these elements, so posts with them open as HTML. */
const beyondEditor = /<(table|figure|figcaption|caption)[\s>]/i

type Props = { initial: string; error: string | undefined }

/**
 * A post’s text, in the editor or as HTML. Either way the form’s field is the text area, so both are drafted, checked and
 * sent alike.
 */
export function PostContentSection({ initial, error }: Props) {
  const field = useRef<HTMLTextAreaElement>(null)
  const [isHtml, setHtml] = useState(() => beyondEditor.test(initial))
  const current = () => field.current?.value ?? initial
  const write = (html: string) => {
    if (field.current?.value !== html) writeField(field.current, html)
  }
  return (
    <div className="postform__content">
      <div className="postform__bar">
        <span aria-hidden="true">Content *</span>
        <Button look="bare" isSmall onClick={() => setHtml(!isHtml)}>
          {isHtml ? 'Write in the editor' : 'Write as HTML'}
        </Button>
      </div>
      {isHtml && beyondEditor.test(current()) && (
        <p className="second">Stay in HTML: the editor would lose your tables and figures.</p>
      )}
      <div hidden={!isHtml}>
        <TextAreaField ref={field} label="Content as HTML" name="content" spellCheck defaultValue={initial} />
      </div>
      {!isHtml && (
        <EditorOrHtml onFail={() => setHtml(true)}>
          <Suspense fallback={<Skeleton size="block" />}>
            <PostEditor readInitial={current} onChange={write} />
          </Suspense>
        </EditorOrHtml>
      )}
      {error && (
        <p className="field__err" role="alert">
          {error}
        </p>
      )}
    </div>
  )
}

/** Offline, the editor’s chunk may fail to load. Owners can still write as HTML. */
class EditorOrHtml extends Component<{ onFail: () => void; children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false }
  static getDerivedStateFromError = () => ({ hasFailed: true })
  override componentDidCatch() {
    this.props.onFail()
  }
  override render() {
    return this.state.hasFailed ? null : this.props.children
  }
}

type PreviewProps = { values: FormValues; heading?: string; onClose: () => void }

/** The server returns the content as it would store it, so this shows what readers would see. */
export function PostPreviewDialog({ values, heading = 'Preview', onClose }: PreviewProps) {
  const content = values.content ?? ''
  const { data, error } = useQuery({
    queryKey: [adminKey, 'post-preview', content],
    queryFn: () => parseResponse(PostPreview, api.api.admin.blog.preview.post({ content })),
    staleTime: 0,
    gcTime: 0,
  })
  const now = new Date().toISOString()
  return (
    <Dialog isOpen isWide onClose={onClose} title={heading}>
      {data ? (
        <PostBody
          post={{
            id: '',
            slug: '',
            createdAt: now,
            ...data,
            title: values.title || 'Untitled',
            excerpt: values.excerpt || null,
            author: values.author || siteCoach,
            featuredImage: v.is(PictureAddress, values.featuredImage) ? values.featuredImage : null,
            featuredImageAlt: values.featuredImageAlt || null,
            publishedAt: readPublished(values).publishedAt ?? now,
          }}
        />
      ) : error ? (
        <Banner tone="bad" role="alert" title={messageOf(error, 'We couldn’t make the preview.')} />
      ) : (
        <Skeleton size="block" />
      )}
    </Dialog>
  )
}

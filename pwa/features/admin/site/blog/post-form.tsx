import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import type { FormValues } from '#pwa/features/admin/kit/forms/draft-storage.ts'
import {
  newRowValues,
  PublishedChoice,
  publishedButton,
  publishedPart,
  publishedSays,
  publishedState,
  publishedValues,
  readPublished,
  TitleField,
} from '#pwa/features/admin/kit/forms/published-form.tsx'
import { RowForm, type RowFormParts, valuesIn } from '#pwa/features/admin/kit/forms/row-form.tsx'
import { api } from '#pwa/lib/api.ts'
import { Button } from '#pwa/ui/button.tsx'
import { CheckField, TextAreaField, TextField } from '#pwa/ui/field.tsx'
import { AdminPost, PostRequest } from '#shared/contract/admin-post.ts'
import { siteCoach, slugOf } from '#shared/values/posts.ts'
import { PictureField } from './picture.tsx'
import { PostContentSection, PostPreviewDialog } from './post-content.tsx'
import { SharePicture } from './share-picture.tsx'
import { SlugField } from './web-address.tsx'
import '#pwa/features/admin/kit/forms/page-form.css'

type Props = {
  id: string | null
  /** Null if it’s new or we couldn’t load it. Then the draft on this device fills the form. */
  post: AdminPost | null
  draft: string
  /** Leaves out the picture and the publication time, which stay as they are. */
  isSimple: boolean
  onClose: () => void
  onStartAgain: () => void
}

const postFields: readonly (readonly [label: string, text: (post: PostRequest) => string, kind?: 'picture'])[] = [
  ['Title', ({ title }) => title],
  ['Slug (web address)', ({ slug }) => slug],
  ['Excerpt', ({ excerpt }) => excerpt ?? ''],
  ['Author', ({ author }) => author],
  ['Picture', ({ featuredImage }) => featuredImage ?? '', 'picture'],
  ['What it shows', ({ featuredImageAlt }) => featuredImageAlt ?? ''],
  ['Picture for sharing', ({ shareImage }) => shareImage ?? '', 'picture'],
  [publishedPart.label, publishedPart.text],
  ['Content', ({ content }) => content],
]

const createdTitles = { Published: 'Post published', Scheduled: 'Post scheduled', Draft: 'Post created' }

/** Stores a draft on this device with every keystroke, until it’s saved or discarded. */
export function PostForm({ id, post, draft, isSimple, onClose, onStartAgain }: Props) {
  const [preview, setPreview] = useState<FormValues | null>(null)
  const navigate = useNavigate()
  const viewing = (slug: string) => ({
    label: 'View',
    hint: 'View it from the list of posts',
    onPress: () => void navigate({ to: '/blog/$slug', params: { slug } }).catch(reportError),
  })
  const admin = api.api.admin.blog
  return (
    <>
      <RowForm
        label="Blog post"
        className="fields postform pageform"
        draft={draft}
        onClose={onClose}
        onStartAgain={onStartAgain}
        schema={PostRequest}
        read={readPublished}
        row={AdminPost}
        begin={() => (post ? valuesOfPost(post) : newPostValues())}
        valuesOf={valuesOfPost}
        send={(request, { version, key }) =>
          id === null
            ? admin.post(request, { headers: { 'idempotency-key': key } })
            : admin({ id }).patch({ ...request, version })
        }
        failure={id === null ? 'Failed to create blog post' : 'Failed to update blog post'}
        done={(saved) => ({
          title: id === null ? createdTitles[publishedState(saved)] : 'Post saved',
          description: saved.isPublished ? saved.title : `${saved.title}: a draft, which only owners see`,
          ...(publishedState(saved) === 'Published' && { action: viewing(saved.slug) }),
        })}
        compared={postFields}
        submit={publishedButton('Save post')}
        cancel="Discard"
        says={publishedSays('Readers see it')}
        tools={(form) => (
          <Button look="line" icon="eye" aria-haspopup="dialog" onClick={() => setPreview(valuesIn(form))}>
            Preview
          </Button>
        )}
      >
        {({ values, errors }) => (
          <>
            <NameFields values={values} errors={errors} isSimple={isSimple} isNew={id === null} />
            <PostContentSection initial={values.content ?? ''} error={errors.content} />
            <AuthorField values={values} errors={errors} />
            {isSimple ? <SimpleFields values={values} /> : <OutwardFields values={values} errors={errors} />}
          </>
        )}
      </RowForm>
      {preview && <PostPreviewDialog values={preview} onClose={() => setPreview(null)} />}
    </>
  )
}

type FieldsProps = Pick<RowFormParts, 'values' | 'errors'>

/** A new post’s slug follows its title until the owner types one. */
function NameFields({ values, errors, isNew, isSimple }: FieldsProps & { isNew: boolean; isSimple: boolean }) {
  const slugField = useRef<HTMLInputElement>(null)
  const [slug, setSlug] = useState(values.slug ?? '')
  const followTitle = (before: string, title: string) => {
    const field = slugField.current
    if (!isNew || !field || (field.value !== '' && field.value !== slugOf(before))) return
    // The draft of this keystroke is read from the field.
    field.value = slugOf(title)
    setSlug(field.value)
  }
  const lastTitle = useRef(values.title ?? '')
  return (
    <>
      <TitleField
        values={values}
        errors={errors}
        onInput={(title) => {
          followTitle(lastTitle.current, title)
          lastTitle.current = title
        }}
      />
      <SlugField values={values} error={errors.slug} ref={slugField} slug={slug} isOpen={isSimple} onSlug={setSlug} />
      <TextAreaField
        label="Excerpt"
        name="excerpt"
        hint="Shown under the title, in lists and in search results."
        defaultValue={values.excerpt}
        error={errors.excerpt}
      />
    </>
  )
}

const AuthorField = ({ values, errors }: FieldsProps) => (
  <TextField
    className="f3"
    label="Author"
    name="author"
    autoComplete="off"
    hint="The coach’s name, if you leave this empty."
    defaultValue={values.author}
    error={errors.author}
  />
)

/** Sent unchanged, since leaving them out would clear them. */
const SimpleFields = ({ values }: Pick<FieldsProps, 'values'>) => (
  <>
    {['featuredImage', 'featuredImageAlt', 'shareImage', 'publishedAt'].map((name) => (
      <input key={name} type="hidden" name={name} defaultValue={values[name]} />
    ))}
    <CheckField
      className="f3"
      label="Published: readers see it"
      name="isPublished"
      defaultChecked={values.isPublished === 'on'}
    />
  </>
)

const OutwardFields = ({ values, errors }: FieldsProps) => (
  <>
    <PictureField
      label="Picture"
      name="featuredImage"
      says={{ name: 'featuredImageAlt', error: errors.featuredImageAlt }}
      hint="Shown above the post, in lists and with links to it."
      values={values}
      error={errors.featuredImage}
    />
    <SharePicture values={values} errors={errors} />
    <PublishedChoice values={values} errors={errors} />
  </>
)

export const newPostValues = (): FormValues => newRowValues({ author: siteCoach })

export const valuesOfPost = (post: AdminPost): FormValues => ({
  title: post.title,
  slug: post.slug,
  excerpt: post.excerpt ?? '',
  content: post.content,
  author: post.author,
  featuredImage: post.featuredImage ?? '',
  featuredImageAlt: post.featuredImageAlt ?? '',
  shareImage: post.shareImage ?? '',
  ...publishedValues(post),
})

import { type FormEvent, useRef, useState } from 'react'
import { ConflictSection } from '#pwa/features/admin/conflict-section.tsx'
import type { FormValues } from '#pwa/features/admin/draft-storage.ts'
import { useAdminForm, versionField } from '#pwa/features/admin/use-admin-form.ts'
import { readFormValues } from '#pwa/features/forms/form-draft-store.ts'
import { RequiredLabel } from '#pwa/features/forms/form-fields.tsx'
import type { FieldErrors } from '#pwa/features/forms/use-field-errors.ts'
import { api } from '#pwa/lib/api.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { CheckField, TextAreaField, TextField } from '#pwa/ui/field.tsx'
import { AdminPost, PostRequest } from '#shared/contract/admin-post.ts'
import { formatClock, formatLongDate } from '#shared/rules/london.ts'
import { slugOf } from '#shared/rules/posts.ts'
import { PostContentSection } from './post-content-section.tsx'
import { newPostValues, readPostForm, valuesOfPost } from './post-form-values.ts'
import { PostPreviewDialog } from './post-preview-dialog.tsx'

type Props = {
  /** Null: a new one. */
  post: AdminPost | null
  draft: string
  /** What was typed before and never saved. */
  typed: FormValues | null
  onDone: () => void
  onCancel: () => void
  /** The other owner's version, to fill the form with. */
  onTheirs: (post: AdminPost) => void
}

const postFields: readonly [label: string, text: (post: PostRequest) => string][] = [
  ['Title', ({ title }) => title],
  ['Slug', ({ slug }) => slug],
  ['Excerpt', ({ excerpt }) => excerpt ?? ''],
  ['Author', ({ author }) => author],
  ['Picture', ({ featuredImage }) => featuredImage ?? ''],
  ['State', ({ isPublished }) => (isPublished ? 'Published' : 'Draft')],
  ['Published on', ({ publishedAt }) => (publishedAt === null ? '' : formatLongDate(publishedAt))],
  ['Content', ({ content }) => content],
]

/** Writes a post or changes one. What is typed is kept on this device with every key, until it is saved or discarded. */
export function PostForm({ post, draft, typed, onDone, onCancel, onTheirs }: Props) {
  const [values] = useState(() => typed ?? (post ? valuesOfPost(post) : newPostValues()))
  const [keptAt, setKeptAt] = useState<Date | null>(null)
  const [preview, setPreview] = useState<FormValues | null>(null)
  const admin = api.api.admin.blog
  const { props, errors, isBusy, problem, conflict, saveMine } = useAdminForm({
    ...{ draft, schema: PostRequest, read: readPostForm, row: AdminPost },
    send: (request, version) =>
      post
        ? admin({ id: post.id }).patch({ ...request, version })
        : admin.post(request, { headers: { 'idempotency-key': values.key ?? '' } }),
    failure: post ? 'Failed to update blog post' : 'Failed to create blog post',
    done: ({ title }) => ({ title: post ? 'Post saved' : 'Post created', description: title }),
    onDone,
  })
  const onInput = (event: FormEvent<HTMLFormElement>) => {
    props.onInput(event)
    setKeptAt(new Date())
  }
  return (
    <form {...props} onInput={onInput} className="fields postform" aria-label="Blog post">
      <input type="hidden" name={versionField} defaultValue={values.version} />
      <input type="hidden" name="key" defaultValue={values.key} />
      <NameFields {...{ values, errors }} isNew={post === null} />
      <PostContentSection initial={values.content ?? ''} error={errors.content} />
      <DetailFields {...{ values, errors }} />
      {problem && <Banner tone="bad" role="alert" title={problem} />}
      {conflict && (
        <ConflictSection
          differences={postFields.map(([label, text]) => ({
            label,
            mine: text(conflict.mine),
            theirs: text(conflict.theirs),
          }))}
          isBusy={isBusy}
          onMine={() => saveMine(conflict.theirs.version)}
          onTheirs={() => onTheirs(conflict.theirs)}
        />
      )}
      <div className="acts">
        <Button type="submit" isBusy={isBusy} busyLabel="Saving…">
          {post ? 'Save post' : 'Create post'}
        </Button>
        <Button look="line" icon="eye" aria-haspopup="dialog" onClick={() => setPreview(valuesIn(props.ref.current))}>
          Preview
        </Button>
        <Button look="line" onClick={onCancel}>
          Discard
        </Button>
        <span className="second" role="status">
          {keptAt && `Kept on this device at ${formatClock(keptAt)}, not saved yet.`}
        </span>
      </div>
      {preview && <PostPreviewDialog values={preview} onClose={() => setPreview(null)} />}
    </form>
  )
}

const valuesIn = (form: HTMLFormElement | null): FormValues => (form ? readFormValues(form) : {})

type FieldsProps = { values: FormValues; errors: FieldErrors }

/** While a post is new its slug follows the title, until somebody writes another one. */
function NameFields({ values, errors, isNew }: FieldsProps & { isNew: boolean }) {
  const slugField = useRef<HTMLInputElement>(null)
  const followTitle = (before: string, title: string) => {
    const slug = slugField.current
    if (isNew && slug && (slug.value === '' || slug.value === slugOf(before))) slug.value = slugOf(title)
  }
  const lastTitle = useRef(values.title ?? '')
  return (
    <>
      <TextField
        label={<RequiredLabel label="Title" />}
        name="title"
        required
        autoComplete="off"
        defaultValue={values.title}
        error={errors.title}
        onInput={({ currentTarget: { value } }) => {
          followTitle(lastTitle.current, value)
          lastTitle.current = value
        }}
      />
      <SlugField values={values} error={errors.slug} ref={slugField} />
      <TextAreaField
        label="Excerpt"
        name="excerpt"
        rows={2}
        hint="Shown under the title, in lists and in search results."
        defaultValue={values.excerpt}
        error={errors.excerpt}
      />
    </>
  )
}

type SlugProps = { values: FormValues; error: string | undefined; ref: React.RefObject<HTMLInputElement | null> }

const SlugField = ({ values, error, ref }: SlugProps) => (
  <TextField
    ref={ref}
    label={<RequiredLabel label="Slug" />}
    name="slug"
    required
    autoComplete="off"
    spellCheck={false}
    hint="The end of its address: /blog/…"
    defaultValue={values.slug}
    error={error}
    onBlur={({ currentTarget }) => {
      currentTarget.value = slugOf(currentTarget.value)
    }}
  />
)

const DetailFields = ({ values, errors }: FieldsProps) => (
  <>
    <TextField
      className="f3"
      label="Author"
      name="author"
      autoComplete="off"
      hint="Empty: the site’s coach."
      defaultValue={values.author}
      error={errors.author}
    />
    <TextField
      className="f3"
      label="Picture"
      name="featuredImage"
      autoComplete="off"
      spellCheck={false}
      hint="An address under /pictures/ of this site."
      defaultValue={values.featuredImage}
      error={errors.featuredImage}
    />
    <TextField
      className="f3"
      label="Published on"
      name="publishedAt"
      type="datetime-local"
      hint="Leave it empty for the time you first publish it. Set a time in the future and it goes out then."
      defaultValue={values.publishedAt}
      error={errors.publishedAt}
    />
    <CheckField
      className="f3"
      label="Published: readers see it"
      name="isPublished"
      defaultChecked={values.isPublished === 'on'}
    />
  </>
)

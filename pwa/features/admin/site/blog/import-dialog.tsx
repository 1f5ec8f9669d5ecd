import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useAdminRenewal } from '#pwa/features/admin/use-admin-action.ts'
import { useProof } from '#pwa/features/auth/proof/use-proof.tsx'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { newKey } from '#pwa/lib/new-key.ts'
import { messageOf } from '#pwa/lib/request-error.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { CheckField } from '#pwa/ui/field.tsx'
import { useToast } from '#pwa/ui/toast.tsx'
import { type MarkdownFile, PostImport } from '#shared/contract/post-import.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { plural } from '#shared/rules/plural.ts'

type Chosen = { files: MarkdownFile[]; wish: string }

const isMarkdown = ({ name }: File) => /\.(md|markdown)$/i.test(name)

const readFiles = (files: readonly File[]): Promise<MarkdownFile[]> =>
  Promise.all(
    files
      .filter(isMarkdown)
      .map(async (file) => ({ name: (file.webkitRelativePath || file.name).slice(-200), text: await file.text() })),
  )

/** Imports a folder of Markdown. Shows what it would make of each file first; then imports all of them or none. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const { chosen, publishes, look, make, found, error, isLooking, isMaking } = useFolder(onClose)
  const isReady = found !== undefined && found.problems.length === 0 && found.posts.length > 0
  return (
    <Dialog
      isOpen
      isWide
      onClose={onClose}
      title="Import posts from Markdown"
      footer={
        <>
          <Button isBusy={isMaking} busyLabel="Importing…" disabled={!isReady} onClick={make}>
            {isReady ? `Import ${plural(found.posts.length, 'post')}` : 'Import posts'}
          </Button>
          <Button look="line" onClick={onClose}>
            Cancel
          </Button>
        </>
      }
    >
      <p>
        Choose a folder of Markdown files. If one has a mistake, none are imported. Put title, date, excerpt and slug at
        the top of each, between two lines of ---.
      </p>
      <FileButtons
        isBusy={isLooking}
        onChosen={(files) => {
          readFiles(files).then((read) => look(read, publishes), reportError)
        }}
      />
      <CheckField
        label="Publish the ones with a date that aren’t marked as drafts"
        checked={publishes}
        onChange={({ target }) => look(chosen?.files ?? null, target.checked)}
      />
      {error && <Banner tone="bad" role="alert" title={messageOf(error, 'We couldn’t send the files.')} />}
      {chosen?.files.length === 0 && (
        <Banner tone="bad" role="alert" title="No Markdown files found">
          Choose files ending in .md or .markdown.
        </Banner>
      )}
      {found && <Plan found={found} />}
    </Dialog>
  )
}

function useFolder(onClose: () => void) {
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const [publishes, setPublishes] = useState(false)
  const plan = useImport(true)
  const put = useImport(false)
  const toast = useToast()
  const renew = useAdminRenewal()
  const look = (files: MarkdownFile[] | null, isPublishing: boolean) => {
    setPublishes(isPublishing)
    put.reset()
    if (files === null) return
    const next = { files, wish: newKey() }
    setChosen(next)
    plan.mutate({ ...next, publishes: isPublishing })
  }
  const finish = ({ made }: PostImport) => {
    if (made === 0) return
    renew()
    toast({ title: `${plural(made, 'post')} imported`, tone: 'ok' })
    onClose()
  }
  const make = () => chosen && put.mutate({ ...chosen, publishes }, { onSuccess: finish })
  return {
    ...{ chosen, publishes, look, make, found: put.data ?? plan.data, error: put.error ?? plan.error },
    ...{ isLooking: plan.isPending, isMaking: put.isPending },
  }
}

/** `isTrial`: a dry run. `wish` is the idempotency key, so a retry after a lost response imports nothing twice. */
function useImport(isTrial: boolean) {
  const prove = useProof()
  return useMutation({
    mutationFn: ({ files, wish, publishes }: Chosen & { publishes: boolean }) =>
      files.length === 0
        ? Promise.resolve<PostImport>({ made: 0, posts: [], problems: [] })
        : prove(() =>
            parseResponse(
              PostImport,
              api.api.admin.blog.import.post(
                { files, publishes, isTrial },
                isTrial ? {} : { headers: { 'idempotency-key': wish } },
              ),
            ),
          ),
  })
}

function FileButtons({ isBusy, onChosen }: { isBusy: boolean; onChosen: (files: File[]) => void }) {
  const folder = useRef<HTMLInputElement>(null)
  const files = useRef<HTMLInputElement>(null)
  const choose = ({ target }: { target: HTMLInputElement }) => {
    onChosen([...(target.files ?? [])])
    target.value = ''
  }
  return (
    <div className="acts">
      <input
        ref={(input) => {
          folder.current = input
          // React doesn’t know this attribute.
          input?.setAttribute('webkitdirectory', '')
        }}
        type="file"
        multiple
        hidden
        aria-label="Folder of Markdown"
        onChange={choose}
      />
      <input
        ref={files}
        type="file"
        multiple
        hidden
        accept=".md,.markdown"
        aria-label="Markdown files"
        onChange={choose}
      />
      <Button look="line" isSmall isBusy={isBusy} busyLabel="Reading…" onClick={() => folder.current?.click()}>
        Choose a folder
      </Button>
      <Button look="line" isSmall onClick={() => files.current?.click()}>
        Choose files
      </Button>
    </div>
  )
}

function Plan({ found: { posts, problems } }: { found: PostImport }) {
  return (
    <div role="status">
      {problems.length > 0 && (
        <>
          <h3>{`${plural(problems.length, 'file')} can’t be imported`}</h3>
          <ul className="importlist">
            {problems.map(({ file, problem }) => (
              <li key={file}>
                <b>{file}</b>: {problem}
              </li>
            ))}
          </ul>
        </>
      )}
      {posts.length > 0 && (
        <>
          <h3>{plural(posts.length, 'post')}</h3>
          <ul className="importlist">
            {posts.map(({ file, title, slug, isPublished, publishedAt, leftOut }) => (
              <li key={file}>
                <b>{title}</b> at /blog/{slug}
                <small>
                  {isPublished ? 'Published' : 'Draft'}
                  {publishedAt && `, ${formatLongDate(publishedAt)}`}, from {file}
                </small>
                {leftOut.length > 0 && <small>Left out, not a picture on this site: {leftOut.join(', ')}</small>}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}

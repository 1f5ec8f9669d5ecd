import { useState } from 'react'
import { BlogSkeleton } from '#pwa/features/blog/blog-skeleton.tsx'
import { ErrorPage } from '#pwa/features/chrome/error-page.tsx'
import { NotFoundPage } from '#pwa/features/chrome/not-found-page.tsx'
import { RequestError } from '#pwa/lib/request-error.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { EmptyState } from '#pwa/ui/empty-state.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { useToast } from '#pwa/ui/toast.tsx'
import { Flow, Group, Specimen } from './specimen.tsx'

const offlineError = new RequestError({ status: 0, code: 'offline', message: '0: No response' })
function ignore() {}

export const States = () => (
  <Group name="States">
    <Specimen name="Banner">
      <Banner title="There’s an update" action={<Button isSmall>Update</Button>}>
        You won’t lose anything you’ve typed.
      </Banner>
      <Banner tone="ok" title="Message sent successfully!">
        We'll get back to you soon
      </Banner>
      <Banner tone="bad" title="Your card was declined. You haven’t been charged.">
        Try another card.
      </Banner>
    </Specimen>
    <Specimen name="Toast" says="Ink in both themes, one at a time, at the edge of the screen.">
      <Toasts />
    </Specimen>
    <Specimen name="Dialog">
      <Dialogs />
    </Specimen>
    <Specimen name="Loading">
      <Skeleton size="title" isShort />
      <Skeleton size="figure" isShort />
      <Skeleton />
      <Skeleton size="block" />
      <Skeleton size="button" />
    </Specimen>
    <Specimen isWide name="Loading a page">
      <BlogSkeleton />
    </Specimen>
    <Specimen name="EmptyState">
      <EmptyState title="No posts yet." action={<Button isSmall>Listen to the podcast</Button>}>
        The first one is being written.
      </EmptyState>
    </Specimen>
    <Specimen isWide name="Error">
      <ErrorPage error={new Error('Anything')} reset={ignore} />
    </Specimen>
    <Specimen isWide name="No signal">
      <ErrorPage error={offlineError} reset={ignore} />
    </Specimen>
    <Specimen isWide name="No such page">
      <NotFoundPage />
    </Specimen>
  </Group>
)

function Toasts() {
  const toast = useToast()
  const description = 'It stays for five seconds, and F8 goes to it.'
  return (
    <Flow>
      <Button look="line" isSmall onClick={() => toast({ title: 'Not sent yet', description })}>
        Plain
      </Button>
      <Button look="line" isSmall onClick={() => toast({ title: 'Profile Updated', description, tone: 'ok' })}>
        Good
      </Button>
      <Button look="line" isSmall onClick={() => toast({ title: 'Booking Failed', description, tone: 'bad' })}>
        Bad
      </Button>
    </Flow>
  )
}

function Dialogs() {
  const [open, setOpen] = useState<'small' | 'wide' | null>(null)
  const close = () => setOpen(null)
  return (
    <Flow>
      <Button look="line" isSmall onClick={() => setOpen('small')}>
        A question
      </Button>
      <Button look="line" isSmall onClick={() => setOpen('wide')}>
        A wide one
      </Button>
      <Dialog
        isOpen={open !== null}
        isWide={open === 'wide'}
        onClose={close}
        title="Remove this member?"
        footer={
          <>
            <Button look="bad" onClick={close}>
              Remove
            </Button>
            <Button look="line" onClick={close}>
              Keep
            </Button>
          </>
        }
      >
        <p>The subscription is cancelled first. Then the account and its progress are deleted.</p>
      </Dialog>
    </Flow>
  )
}

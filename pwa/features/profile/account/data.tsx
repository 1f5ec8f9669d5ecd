import { useMutation, useQuery } from '@tanstack/react-query'
import { useProof } from '#pwa/features/auth/proof/use-proof.tsx'
import { cancellationsQuery, noticesQuery, requestArchive } from '#pwa/features/profile/queries.ts'
import { messageOf } from '#pwa/lib/request-error.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { useToast } from '#pwa/ui/toast.tsx'
import { formatLongDate, londonClock } from '#shared/rules/london.ts'
import type { AccountProps } from './account-section.tsx'
import { AccountSection } from './account-section.tsx'
import { DeletionSection } from './deletion.tsx'

export default function DataSection({ session, user }: AccountProps) {
  const cancellations = useQuery(cancellationsQuery({ session, memberId: user.id }))
  const notices = useQuery(noticesQuery({ session, memberId: user.id }))
  return (
    <>
      {!user.isImpersonating && <ArchiveSection session={session} />}
      <AccountSection title="Your cancellations" query={cancellations}>
        {(copies) =>
          copies.length === 0 ? (
            <p>None. If you cancel, you’ll find our confirmation here.</p>
          ) : (
            <ul className="account__rows">
              {copies.map(({ cancelledAt, ...copy }) => (
                <Copy key={copy.id} {...copy} at={cancelledAt} />
              ))}
            </ul>
          )
        }
      </AccountSection>
      <AccountSection title="Emails before a payment" query={notices}>
        {(copies) =>
          copies.length === 0 ? (
            <p>None. If you pay by the year, we email you before it renews, and keep a copy here.</p>
          ) : (
            <ul className="account__rows">
              {copies.map(({ toldAt, ...copy }) => (
                <Copy key={copy.id} {...copy} at={toldAt} />
              ))}
            </ul>
          )
        }
      </AccountSection>
      {!user.isImpersonating && !user.isAdmin && <DeletionSection session={session} />}
    </>
  )
}

const Copy = ({ subject, text, at }: { subject: string; text: string; at: string }) => (
  <li>
    <details>
      <summary>
        {subject}: {formatLongDate(at)}, {londonClock(at)}
      </summary>
      <pre className="account__copy">{text}</pre>
    </details>
  </li>
)

function ArchiveSection({ session }: Pick<AccountProps, 'session'>) {
  const prove = useProof()
  const toast = useToast()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => prove(() => requestArchive(session)),
    onSuccess: ({ fileName, file }) => {
      saveFile(fileName, file)
      toast({ title: 'Your copy is ready', description: `Saved as ${fileName}.`, tone: 'ok' })
    },
  })
  return (
    <section className="sheet account__sheet" aria-labelledby="archive-title">
      <h2 className="panel__title" id="archive-title">
        Everything about you
      </h2>
      <p>Everything we hold on you in one ZIP file, with spreadsheets and your invoices as PDFs. Up to three a day.</p>
      {error && <Banner tone="bad" role="alert" title={messageOf(error, 'We couldn’t make your copy. Try again.')} />}
      <Button look="line" isSmall isBusy={isPending} busyLabel="Making your copy…" onClick={() => mutate()}>
        Download a copy
      </Button>
    </section>
  )
}

function saveFile(fileName: string, file: Blob): void {
  const href = URL.createObjectURL(file)
  const link = Object.assign(document.createElement('a'), { href, download: fileName })
  link.click()
  // The browser has the file by then.
  setTimeout(() => URL.revokeObjectURL(href), 60_000)
}

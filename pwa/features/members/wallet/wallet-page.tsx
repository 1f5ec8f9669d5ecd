import { type ReactNode, useCallback, useId, useMemo } from 'react'
import { LogoutLink } from '#pwa/features/auth/logout/logout-gate.tsx'
import { keepInvoices } from '#pwa/features/billing/invoices/invoice-storage.ts'
import { type DocumentRow, documentRows } from '#pwa/features/billing/invoices/invoice-texts.ts'
import { callNames, whenOf } from '#pwa/features/members/calls/call-texts.ts'
import { type OpenedArea, StoredGate } from '#pwa/features/members/frame/stored-gate.tsx'
import { LockedUntilSignal } from '#pwa/features/members/frame/videos-or-reason.tsx'
import {
  type Refresh,
  useBillingRefresh,
  useCallsRefresh,
  useRefresh,
} from '#pwa/features/members/stored/use-member-data.ts'
import { usePhoneLock } from '#pwa/features/members/stored/use-phone-lock.ts'
import { walletTitle } from '#pwa/features/places/account-places.ts'
import { isOffline } from '#pwa/lib/request-error.ts'
import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { useBackInRange } from '#pwa/lib/use-back-in-range.ts'
import { useEngine, useIsReadOnly, useLiveSyncState } from '#pwa/sync/hooks.ts'
import { Badge } from '#pwa/ui/badge.tsx'
import { ButtonAnchor, ButtonLink } from '#pwa/ui/button.tsx'
import { TextAnchor, TextLink } from '#pwa/ui/link.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import type { CoachContact } from '#shared/contract/site-content.ts'
import { numberOfChat } from '#shared/rules/chat-number.ts'
import { formatPlanPrice } from '#shared/rules/price-words.ts'
import { stateLine } from '#shared/rules/state-line.ts'
import { InvoicePdf } from './invoice-pdf.tsx'
import '#pwa/features/billing/billing.css'
import './wallet.css'

/** What a member may have to show on site: it's all read from this phone. */
export default function WalletPage() {
  return (
    <StoredGate
      page="billing"
      title={walletTitle}
      returnTo="/members/wallet"
      skeleton={<WalletSkeleton />}
      Page={OpenWallet}
    />
  )
}

function OpenWallet({ session, onLogout, stored, user }: OpenedArea) {
  const hasAccess = user.isMember || user.isAdmin
  const lock = usePhoneLock({ ...stored, user })
  const billing = useBillingRefresh(session)
  const calls = useCallsRefresh(session, hasAccess)
  const invoices = useInvoicesRefresh(session)
  const { isOnline } = useLiveSyncState(stored.sync)
  const hasSignal = isOnline && !isOffline(billing.problem)
  const retry = () => {
    for (const refresh of [billing, calls, invoices]) refresh.retry()
  }
  useBackInRange(isOffline(billing.problem), retry)
  return (
    <div className="wrap account account--pairs">
      <div className="account__back">
        <h1 className="account__title">{walletTitle}</h1>
        <LogoutLink onLogout={onLogout} />
      </div>
      {lock.kind === 'unreachable' ? (
        <LockedUntilSignal isBusy={billing.isBusy} onRetry={retry} />
      ) : (
        <>
          <p className="second">You can read all of this without signal.</p>
          <Membership stored={stored} user={user} />
          {hasAccess && <Coaches hasSignal={hasSignal} />}
          {hasAccess && <NextCalls calls={stored.calls} hasSignal={hasSignal} refresh={calls} />}
          <Invoices stored={stored} hasSignal={hasSignal} refresh={invoices} />
        </>
      )}
    </div>
  )
}

function useInvoicesRefresh(session: OpenedArea['session']): Refresh {
  const { store } = useEngine()
  const isReadOnly = useIsReadOnly()
  const load = useCallback(() => keepInvoices(store, session, { isShown: true }), [store, session])
  // An owner who views as a member leaves nothing of theirs on this device.
  return useRefresh(isReadOnly ? null : load)
}

function Membership({ stored: { billing }, user }: Pick<OpenedArea, 'stored' | 'user'>) {
  const name = [user.firstName, user.lastName].filter(Boolean).join(' ')
  return (
    <WalletPart title="Membership">
      {name && <p className="wallet__name">{name}</p>}
      <p>{user.email}</p>
      {billing && (
        <>
          {billing.plan && !billing.isComplimentary && (
            <p>
              {billing.plan.name}, {formatPlanPrice(billing.plan)}
            </p>
          )}
          <p>
            <Badge tone={billing.hasAccess ? 'ok' : 'bad'}>{billing.label}</Badge>
          </p>
          <p>{stateLine(billing)}</p>
        </>
      )}
      <div className="acts">
        <ButtonLink look="line" isSmall to="/members" search={{ tab: 'billing' }} icon="arrow">
          Billing
        </ButtonLink>
      </div>
    </WalletPart>
  )
}

function Coaches({ hasSignal }: { hasSignal: boolean }) {
  const { coaches, brand } = useSiteContent()
  return (
    <WalletPart title="Your coaches">
      <ul className="account__rows">
        {coaches.map((coach) => (
          <Coach key={coach.email} coach={coach} hasSignal={hasSignal} />
        ))}
      </ul>
      {brand.phone && (
        <p>
          Phone us:{' '}
          <TextAnchor isTap href={`tel:${brand.phone.replaceAll(' ', '')}`}>
            {brand.phone}
          </TextAnchor>
        </p>
      )}
    </WalletPart>
  )
}

/** A phone that has no internet may still ring someone. */
function Coach({ coach: { name, chat, email }, hasSignal }: { coach: CoachContact; hasSignal: boolean }) {
  const number = numberOfChat(chat)
  return (
    <li>
      <div>
        <b>{name}</b>
        {number && (
          <p>
            <TextAnchor isTap href={`tel:${number.dialled}`}>
              {number.shown}
            </TextAnchor>
          </p>
        )}
        <p>
          <TextAnchor isTap href={`mailto:${email}`}>
            {email}
          </TextAnchor>
        </p>
      </div>
      {hasSignal ? (
        <ButtonAnchor look="line" isSmall href={chat} target="_blank" rel="noreferrer">
          WhatsApp <span className="vh">{name}, opens in a new tab</span>
        </ButtonAnchor>
      ) : (
        <span className="second">WhatsApp needs signal</span>
      )}
    </li>
  )
}

type CallsProps = { calls: OpenedArea['stored']['calls']; hasSignal: boolean; refresh: Refresh }

function NextCalls({ calls, hasSignal, refresh }: CallsProps) {
  if (calls === null) return <NotHereYet title="Next calls" hasSignal={hasSignal} refresh={refresh} />
  const toCome = calls.calls.filter(({ link }) => link !== null).toReversed()
  return (
    <WalletPart title="Next calls">
      {toCome.length === 0 ? (
        <p>No calls booked.</p>
      ) : (
        <ul className="account__rows">
          {toCome.map(({ id, kind, startsAt, minutes, coachName }) => (
            <li key={id}>
              <div>
                <b>{whenOf(startsAt)}</b>
                <p className="second">
                  {callNames[kind]}, {minutes} minutes with {coachName}
                </p>
              </div>
            </li>
          ))}
        </ul>
      )}
      <TextLink isTap to="/members/$place" params={{ place: 'calls' }}>
        Your calls
      </TextLink>
    </WalletPart>
  )
}

const NotHereYet = ({ title, hasSignal, refresh }: { title: string; hasSignal: boolean; refresh: Refresh }) => (
  <WalletPart title={title}>
    {hasSignal && refresh.problem === null ? <Skeleton /> : <p>Open this page once while you’re online.</p>}
  </WalletPart>
)

type InvoicesProps = { stored: OpenedArea['stored']; hasSignal: boolean; refresh: Refresh }

function Invoices({ stored, hasSignal, refresh }: InvoicesProps) {
  const rows = useMemo(() => documentRows(stored.invoices ?? []), [stored.invoices])
  if (stored.invoices === null) return <NotHereYet title="Invoices" hasSignal={hasSignal} refresh={refresh} />
  return (
    <WalletPart title="Invoices">
      {rows.length === 0 ? (
        <p>No invoices yet. Each payment gets a VAT invoice here.</p>
      ) : (
        <ul className="account__rows">
          {rows.map((row) => (
            <InvoiceRow key={row.id} row={row} hasSignal={hasSignal} isSettled={!refresh.isBusy} />
          ))}
        </ul>
      )}
    </WalletPart>
  )
}

type InvoiceRowProps = { row: DocumentRow; hasSignal: boolean; isSettled: boolean }

const InvoiceRow = ({ row, hasSignal, isSettled }: InvoiceRowProps) => (
  <li>
    <div>
      <b>{row.name}</b>
      <p className="second">
        {row.date} · {row.total}
      </p>
    </div>
    <Badge tone={row.badge.tone}>{row.badge.label}</Badge>
    {row.pdf && <InvoicePdf path={row.pdf} name={row.name} hasSignal={hasSignal} isSettled={isSettled} />}
  </li>
)

const WalletSkeleton = () => (
  <div className="wrap account" role="status" aria-label="Loading">
    <Skeleton size="title" isShort />
    <Skeleton size="block" />
  </div>
)

function WalletPart({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className="sheet account__sheet" aria-labelledby={id}>
      <h2 className="panel__title" id={id}>
        {title}
      </h2>
      {children}
    </section>
  )
}

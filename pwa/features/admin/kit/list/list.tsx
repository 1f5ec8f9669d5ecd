import { type ReactNode, useRef } from 'react'
import { isOffline, messageOf } from '#pwa/lib/request-error.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button, ButtonAnchor } from '#pwa/ui/button.tsx'
import { EmptyState } from '#pwa/ui/empty-state.tsx'
import { SelectField } from '#pwa/ui/field.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { mostPeopleUnasked } from '#shared/contract/move-out.ts'
import { formatClock } from '#shared/rules/london.ts'
import { BulkBar } from './bulk.tsx'
import { type Column, FoldedTable, ListTable } from './list-table.tsx'
import { SearchForm } from './search-form.tsx'
import {
  type Chosen,
  isNarrowed,
  type ListAddress,
  type ListDefinition,
  showingAll,
  useChosen,
  useList,
  useListAddress,
} from './use-list.ts'
import { useListCsv } from './use-list-csv.ts'
import './list.css'

type Props<Row> = {
  title: string
  list: ListDefinition<Row>
  columns: readonly Column<Row>[]
  searchLabel?: string
  /** Value in the address → option text. The first option shows all. */
  filters?: readonly (readonly [value: string, label: string])[]
  defaultSort?: string
  empty: { title: string; text?: string }
  /** What an empty filter says, where it’s more than that nothing fits. */
  noneTexts?: Partial<Record<string, string>>
  tools?: ReactNode
  actions?: (row: Row) => ReactNode
  /** The row whose dialog is open. The dialog follows refetches. */
  openId?: string | undefined
  dialog?: (row: Row) => ReactNode
  before?: ReactNode
  /** For a second list on the page: the address belongs to the first. */
  fixedAddress?: ListAddress
  /** Made by the server, with more columns than the screen. */
  files?: readonly { label: string; href: string }[]
  /** The address that shows everything, if that isn’t the default. */
  everything?: ListAddress
  /** Makes rows tickable. `nameOf` labels the tick boxes. */
  bulk?: { nameOf: (row: Row) => string; actions: (chosen: Chosen<Row>) => ReactNode }
}

/** Search, filter and order live in the address. The CSV file has the whole list, not just the loaded pages. */
export function ListSection<Row>(props: Props<Row>) {
  const { list, empty, before, fixedAddress } = props
  const { address: shownAddress, change } = useListAddress()
  const address = fixedAddress ?? shownAddress
  const found = useList(list, address)
  const open = useOpenRow(found.rows, (row) => list.idOf(row) === props.openId)
  return (
    <>
      <ListBar {...props} isEmpty={found.rows?.length === 0} total={found.total} address={address} onChange={change} />
      {before}
      <ListState {...found} />
      {open !== undefined && props.dialog?.(open)}
      {found.rows === undefined ? (
        found.error === null && <Skeleton size="block" />
      ) : found.rows.length > 0 ? (
        <FoundRows {...props} found={found} rows={found.rows} address={address} onChange={change} />
      ) : isNarrowed(address) ? (
        <NothingFound
          hasWords={address.q !== undefined}
          noneText={props.noneTexts?.[address.show ?? '']}
          onShowAll={() => change({ ...showingAll, ...props.everything })}
        />
      ) : (
        <EmptyState title={empty.title}>{empty.text}</EmptyState>
      )}
    </>
  )
}

/** Keeps the open row, as last seen, when an action takes it out of the list. */
function useOpenRow<Row>(rows: readonly Row[] | undefined, isOpen: (row: Row) => boolean): Row | undefined {
  const last = useRef<Row>(undefined)
  const before = last.current !== undefined && isOpen(last.current) ? last.current : undefined
  last.current = rows?.find(isOpen) ?? before
  return last.current
}

type BarProps<Row> = Props<Row> & { address: ListAddress; onChange: (address: ListAddress) => void }
type ListBarProps<Row> = BarProps<Row> & { isEmpty: boolean; total: number }

function ListBar<Row>({ title, searchLabel, filters, tools, address, onChange, ...rest }: ListBarProps<Row>) {
  const { list, columns, files, isEmpty, total } = rest
  const csv = useListCsv(list, columns)
  return (
    <>
      <div className="panel__top">
        <h2>{title}</h2>
        {searchLabel && <SearchForm label={searchLabel} q={address.q} onChange={onChange} />}
        {filters && (
          <SelectField
            label="Show"
            value={address.show ?? ''}
            onChange={({ target }) => onChange({ show: target.value })}
          >
            {filters.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </SelectField>
        )}
        {tools}
        {files?.map(({ label, href }) =>
          total > mostPeopleUnasked ? (
            <Button key={label} look="line" isSmall icon="down" onClick={() => csv.fetchFile(href, total)}>
              {label}
            </Button>
          ) : (
            <ButtonAnchor key={label} look="line" isSmall icon="down" href={href} download>
              {label}
            </ButtonAnchor>
          ),
        )}
        {!files && !isEmpty && (
          <Button
            look="line"
            isSmall
            icon="down"
            isBusy={csv.isBusy}
            busyLabel={csv.progress}
            onClick={() => csv.download(address)}
          >
            CSV
          </Button>
        )}
      </div>
      {csv.problem && (
        <Banner tone="bad" role="alert" title={files ? 'We couldn’t get the file' : 'We couldn’t create the CSV'}>
          {messageOf(csv.problem, tryAgain)}
        </Banner>
      )}
    </>
  )
}

type ListPages<Row> = Pick<ReturnType<typeof useList<Row>>, 'data' | 'hasNextPage' | 'isError' | 'fetchNextPage'>

type FoundProps<Row> = BarProps<Row> & { found: ReturnType<typeof useList<Row>>; rows: readonly Row[] }

function FoundRows<Row>({ found, rows, address, onChange, ...props }: FoundProps<Row>) {
  const { bulk, columns, list } = props
  const chosen = useChosen(rows, list.idOf)
  const showMore = async () => {
    const { data } = await found.fetchNextPage()
    if (props.fixedAddress === undefined) onChange({ pages: String(data?.pages.length ?? 1) })
  }
  const chooseAll = async () => {
    let latest: ListPages<Row> = found
    while (latest.hasNextPage && !latest.isError) latest = await latest.fetchNextPage()
    chosen.set((latest.data?.pages ?? []).flatMap((page) => page.rows.map(list.idOf)))
  }
  const Shown = props.fixedAddress === undefined ? ListTable : FoldedTable
  return (
    <>
      <Shown
        title={props.title}
        columns={props.columns}
        rows={rows}
        idOf={props.list.idOf}
        actions={props.actions}
        choice={bulk && { chosen, nameOf: bulk.nameOf }}
        sort={address.sort ?? props.defaultSort}
        onSort={(sort) => onChange({ sort })}
      />
      {bulk && chosen.rows.length > 0 && (
        <BulkBar
          name={list.name}
          columns={columns}
          chosen={chosen}
          all={{ count: found.total, isComing: found.isFetchingNextPage, choose: chooseAll }}
        >
          {bulk.actions(chosen)}
        </BulkBar>
      )}
      <p className="panel__end">
        <span aria-live="polite">
          {rows.length} of {found.total}
        </span>
        {found.hasNextPage && (
          <Button look="line" isSmall isBusy={found.isFetchingNextPage} onClick={showMore}>
            Show more
          </Button>
        )}
      </p>
    </>
  )
}

type NothingProps = { hasWords: boolean; noneText?: string | undefined; onShowAll: () => void }

export const NothingFound = ({ hasWords, noneText = 'Nothing fits this filter', onShowAll }: NothingProps) => (
  <EmptyState
    title={hasWords ? 'Nothing found' : noneText}
    action={
      <Button look="line" isSmall onClick={onShowAll}>
        Show all
      </Button>
    }
  >
    {hasWords && 'Try fewer words or another filter.'}
  </EmptyState>
)

const tryAgain = 'We couldn’t reach the site. Try again in a minute.'

type StateProps = {
  error: Error | null
  dataUpdatedAt: number
  isFetching: boolean
  refetch: () => unknown
  hasNews?: boolean
  showNews?: () => void
}

/** Says that a refresh failed and how old the list is, or that there are new rows. */
export function ListState({ error, dataUpdatedAt, isFetching, refetch, hasNews, showNews }: StateProps) {
  const retry = (
    <Button look="line" isSmall icon="sync" isBusy={isFetching} onClick={() => refetch()}>
      Try again
    </Button>
  )
  if (error) {
    const hasNoSignal = isOffline(error)
    const asOf = dataUpdatedAt > 0 ? ` As of ${formatClock(new Date(dataUpdatedAt).toISOString())}.` : ''
    return (
      <Banner tone="bad" role="status" title={hasNoSignal ? 'No signal' : 'Not up to date'} action={retry}>
        {`${hasNoSignal ? 'You’ll need signal to make changes.' : messageOf(error, tryAgain)}${asOf}`}
      </Banner>
    )
  }
  if (!hasNews) return null
  return (
    <Banner
      role="status"
      title="The list has changed"
      action={
        <Button isSmall onClick={showNews}>
          Show it
        </Button>
      }
    >
      Some entries are new or different.
    </Banner>
  )
}

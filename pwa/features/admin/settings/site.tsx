import { queryOptions, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { ListState } from '#pwa/features/admin/list/list.tsx'
import { type Column, ListTable } from '#pwa/features/admin/list/list-table.tsx'
import { RowsCsv } from '#pwa/features/admin/list/short-list.tsx'
import { adminKey } from '#pwa/features/admin/queries.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { Badge } from '#pwa/ui/badge.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import {
  type SettingName,
  type SiteSetting,
  SiteSettingList,
  settingGroups,
  settingOption,
} from '#shared/contract/site-settings.ts'
import { SettingDialog } from './setting-form.tsx'

const siteSettingsQuery = queryOptions({
  queryKey: [adminKey, 'site-settings'],
  queryFn: () => parseResponse(SiteSettingList, api.api.admin.settings.get()),
  staleTime: 0,
  refetchOnReconnect: true,
})

const columns: readonly Column<SiteSetting>[] = [
  {
    label: 'Setting',
    kind: 'who',
    cell: ({ name }) => (
      <>
        {settingOption(name).label}
        <small>{name}</small>
      </>
    ),
    text: ({ name }) => `${settingOption(name).label} (${name})`,
  },
  {
    label: 'Now',
    cell: ({ value, problem }) => (
      <span className="settings__value">
        {value || 'Not set'}
        {problem !== null && <Badge tone="bad">It {problem}</Badge>}
      </span>
    ),
    text: ({ value }) => value,
  },
]

export default function SiteSection() {
  const { data, error, dataUpdatedAt, isFetching, refetch } = useQuery(siteSettingsQuery)
  const [name, setName] = useState<SettingName | null>(null)
  const open = data?.find((setting) => setting.name === name)
  useGroupInView(data !== undefined)
  return (
    <section aria-label="The site">
      <div className="panel__top">
        <h3>The site</h3>
        {data && <RowsCsv name="settings" columns={columns} rows={data} />}
      </div>
      <p className="panel__note">
        Anything not set is left off the pages. Locked ones are set in the server’s .env: change them there.
      </p>
      <ListState {...{ error, dataUpdatedAt, isFetching, refetch }} />
      {data ? <Groups settings={data} onOpen={setName} /> : error === null && <Skeleton size="block" />}
      {open && <SettingDialog key={open.name} setting={open} onClose={() => setName(null)} />}
    </section>
  )
}

/** `?group=seller` scrolls to that heading. */
function useGroupInView(isShown: boolean) {
  const { group }: Record<string, unknown> = useSearch({ strict: false })
  useEffect(() => {
    if (isShown && typeof group === 'string') document.getElementById(headingOf(group))?.scrollIntoView()
  }, [isShown, group])
}

const headingOf = (group: string) => `settings-${group}`

type ListProps = { settings: readonly SiteSetting[]; onOpen: (name: SettingName) => void }

const Groups = ({ settings, onOpen }: ListProps) =>
  Object.entries(settingGroups).map(([group, title]) => (
    <Group
      key={group}
      id={headingOf(group)}
      title={title}
      settings={settings.filter(({ name }) => settingOption(name).group === group)}
      onOpen={onOpen}
    />
  ))

const Group = ({ id, title, settings, onOpen }: ListProps & { id: string; title: string }) => (
  <>
    <h4 className="settings__group" id={id}>
      {title}
    </h4>
    <ListTable
      title={title}
      columns={columns}
      rows={settings}
      idOf={({ name }) => name}
      actions={({ name, source }) =>
        source === 'environment' ? (
          <Badge tone="wait">Locked by {name}</Badge>
        ) : (
          <Button
            look="line"
            isSmall
            aria-haspopup="dialog"
            aria-label={`Edit: ${settingOption(name).label}`}
            onClick={() => onOpen(name)}
          >
            Edit
          </Button>
        )
      }
    />
  </>
)

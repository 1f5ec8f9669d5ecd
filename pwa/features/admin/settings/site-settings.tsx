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
  type SettingGroup,
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
    cell: ({ name }) => settingOption(name).label,
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

type Props = { title: string; groups: readonly SettingGroup[]; note: string }

/** What the owners set of these groups. */
export function SiteSettings({ title, groups, note }: Props) {
  const { data, error, dataUpdatedAt, isFetching, refetch } = useQuery(siteSettingsQuery)
  const [name, setName] = useState<SettingName | null>(null)
  const settings = data?.filter(({ name }) => groups.includes(settingOption(name).group))
  const open = data?.find((setting) => setting.name === name)
  useGroupInView(data !== undefined)
  return (
    <section>
      <div className="panel__top">
        <h2>{title}</h2>
        {settings && <RowsCsv name={title.toLowerCase()} columns={columns} rows={settings} />}
      </div>
      <p className="panel__note">{note}</p>
      <ListState {...{ error, dataUpdatedAt, isFetching, refetch }} />
      {settings ? <Groups {...{ groups, settings }} onOpen={setName} /> : error === null && <Skeleton size="block" />}
      {settings && <ServerNames settings={settings} />}
      {open && <SettingDialog key={open.name} setting={open} onClose={() => setName(null)} />}
    </section>
  )
}

const ServerNames = ({ settings }: { settings: readonly SiteSetting[] }) => (
  <details className="settings__server">
    <summary>For whoever hosts the site</summary>
    <p>What the server’s .env names stays as it says there, and can’t be edited here.</p>
    <dl>
      {settings.map(({ name, source }) => (
        <div key={name}>
          <dt>{settingOption(name).label}</dt>
          <dd>
            <code>{name}</code>
            {source === 'environment' && ' (set in .env)'}
          </dd>
        </div>
      ))}
    </dl>
  </details>
)

/** `?group=seller` scrolls to that heading. */
function useGroupInView(isShown: boolean) {
  const { group }: Record<string, unknown> = useSearch({ strict: false })
  useEffect(() => {
    if (isShown && typeof group === 'string') document.getElementById(headingOf(group))?.scrollIntoView()
  }, [isShown, group])
}

const headingOf = (group: string) => `settings-${group}`

type ListProps = { settings: readonly SiteSetting[]; onOpen: (name: SettingName) => void }

const Groups = ({ groups, settings, onOpen }: ListProps & { groups: readonly SettingGroup[] }) =>
  groups.map((group) => (
    <Group
      key={group}
      id={headingOf(group)}
      title={settingGroups[group]}
      settings={settings.filter(({ name }) => settingOption(name).group === group)}
      onOpen={onOpen}
    />
  ))

const Group = ({ id, title, settings, onOpen }: ListProps & { id: string; title: string }) => (
  <>
    <h3 className="settings__group" id={id}>
      {title}
    </h3>
    <ListTable
      title={title}
      columns={columns}
      rows={settings}
      idOf={({ name }) => name}
      actions={({ name, source }) =>
        source === 'environment' ? (
          <Badge tone="wait">Set on the server</Badge>
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

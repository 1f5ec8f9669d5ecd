import { queryOptions, useQuery } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { ForHost } from '#pwa/features/admin/kit/for-host.tsx'
import { ListState } from '#pwa/features/admin/kit/list/list.tsx'
import { adminKey } from '#pwa/features/admin/kit/queries.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import {
  type SettingGroup,
  type SiteSetting,
  SiteSettingList,
  settingGroups,
  settingOption,
} from '#shared/contract/site-settings.ts'
import { SettingsForm } from './setting-form.tsx'

const siteSettingsQuery = queryOptions({
  queryKey: [adminKey, 'site-settings'],
  queryFn: () => parseResponse(SiteSettingList, api.api.admin.settings.get()),
  staleTime: 0,
  refetchOnReconnect: true,
})

type Props = { title: string; groups: readonly SettingGroup[]; note: string; before?: ReactNode }

/** The settings of these groups, with a form for each group. */
export function SiteSettings({ title, groups, note, before }: Props) {
  const { data, error, dataUpdatedAt, isFetching, refetch } = useQuery(siteSettingsQuery)
  const settings = data?.filter(({ name }) => groups.includes(settingOption(name).group))
  useGroupInView(data !== undefined)
  return (
    <section>
      <div className="panel__top">
        <h2>{title}</h2>
      </div>
      <p className="panel__note">{note}</p>
      <ListState error={error} dataUpdatedAt={dataUpdatedAt} isFetching={isFetching} refetch={refetch} />
      {before}
      {settings
        ? groups.map((group) => (
            <Group
              key={group}
              group={group}
              settings={settings.filter(({ name }) => settingOption(name).group === group)}
              isAlone={groups.length === 1}
            />
          ))
        : error === null && <Skeleton size="block" />}
      {settings && <ServerNames settings={settings} />}
    </section>
  )
}

const ServerNames = ({ settings }: { settings: readonly SiteSetting[] }) => (
  <div className="settings__host">
    <ForHost>
      <p>What’s set in the server’s .env can only be changed there.</p>
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
    </ForHost>
  </div>
)

/** `?group=seller` scrolls to that group, and again once the router has scrolled to the top. */
function useGroupInView(isShown: boolean) {
  const { group }: Record<string, unknown> = useSearch({ strict: false })
  const router = useRouter()
  useEffect(() => {
    if (!isShown || typeof group !== 'string') return
    const show = () => document.getElementById(idOf(group))?.scrollIntoView()
    show()
    return router.subscribe('onRendered', show)
  }, [isShown, group, router])
}

const idOf = (group: string) => `settings-${group}`

export const OwnAddress = () => (
  <section className="settings__group" id={idOf('site')} aria-label="Your site">
    <h3>Your site</h3>
    <p>Your site is at {location.origin}. Its domain is set on the server. Ask whoever hosts your site to change it.</p>
    <ForHost>
      <p>
        Point the new domain at the server, then change <code>PUBLIC_URL</code> in .env and restart.
      </p>
    </ForHost>
  </section>
)

type GroupProps = { group: SettingGroup; settings: readonly SiteSetting[]; isAlone: boolean }

/** A group on its own needs no heading: the section has one. */
const Group = ({ group, settings, isAlone }: GroupProps) => (
  <section className="settings__group" id={idOf(group)} aria-label={settingGroups[group]}>
    {!isAlone && <h3>{settingGroups[group]}</h3>}
    <SettingsForm group={group} settings={settings} />
  </section>
)

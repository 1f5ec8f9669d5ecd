import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { session } from '#api/http/session.ts'
import {
  SettingChange,
  SettingGroupChange,
  SettingGroupParams,
  SettingParams,
  SiteSetting,
  SiteSettingGroup,
  SiteSettingList,
} from '#shared/contract/site-settings.ts'
import { changeSetting, changeSettingGroup, listSettings } from './admin-service.ts'

export const settingRoutes = (ctx: Context) =>
  new Elysia({ name: 'settings', tags: ['Running the site'] })
    .use(session(ctx))
    .get('/api/admin/settings', () => listSettings(ctx), {
      owner: true,
      says: 'Lists the settings.',
      response: { 200: SiteSettingList, ...errorResponses },
    })
    .put(
      '/api/admin/settings/:name',
      ({ owner, params, body }) => changeSetting(ctx, owner, { ...body, name: params.name }),
      {
        owner: 'asks when it’s where people are sent, what browsers load, or who gets our mail',
        says: 'Changes a setting.',
        audit: 'setting.changed',
        params: SettingParams,
        body: SettingChange,
        response: { 200: SiteSetting, ...errorResponses },
      },
    )
    .put(
      '/api/admin/setting-groups/:group',
      ({ owner, params, body }) => changeSettingGroup(ctx, owner, { ...body, group: params.group }),
      {
        owner: 'asks when it’s where people are sent, what browsers load, or who gets our mail',
        says: 'Changes several settings of a group together, or none.',
        audit: 'setting.changed',
        params: SettingGroupParams,
        body: SettingGroupChange,
        response: { 200: SiteSettingGroup, ...errorResponses },
      },
    )

import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import * as v from 'valibot'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startWorld, type World } from '#api/testing/world.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'
import { NoticeSettings } from '#shared/contract/notices.ts'

let world: World
let browser: Browser

beforeEach(() => {
  world = startWorld()
  browser = createBrowser(world)
})

afterEach(() => browser.close())

test('a choice shows in the moment of its press and keeps the focus, and a second press before it’s saved is one with it', async () => {
  const member = world.addMember()
  browser.signIn(member)
  await browser.open('/members/notices')
  const box = await screen.findByLabelText<HTMLInputElement>('Email me when there’s an answer')
  const stored = async () => {
    const response = await world.signIn(member)('/api/members/notices')
    const { choices } = v.parse(NoticeSettings, await response.json())
    return choices.find(({ kind }) => kind === 'answer')?.byMail
  }
  expect([box.checked, await stored()]).toEqual([true, true])
  box.focus()
  for (const _ of ['press', 'second press']) {
    fireEvent.click(box)
    expect([box.checked, box.disabled, document.activeElement === box]).toEqual([false, false, true])
  }
  await waitFor(async () => expect(await stored()).toBe(false))
  expect(box.checked).toBe(false)
})

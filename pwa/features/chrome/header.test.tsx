import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router'
import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { SiteContentProvider } from '#pwa/lib/site-content.tsx'
import { siteContent } from '#pwa/testing/public-data.ts'
import { Header } from './header.tsx'

const labelOf = (path: string) =>
  siteContent.navigation
    .flatMap((entry) => ('items' in entry ? entry.items : [entry]))
    .find((link) => link.path === path)?.label ?? ''
const softwareLabel = siteContent.navigation.find((entry) => 'items' in entry)?.label ?? ''

const software = ['/sales-lion', '/servicem8', '/quotient', '/website-builds']
const allPaths = ['/', '/about', '/podcast', '/coaching', ...software, '/blog', '/blog/$slug', '/members', '/contact']

beforeAll(() => {
  vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: false }))
})
afterAll(() => vi.unstubAllGlobals())

async function show(at: string, paths: readonly string[] = [...allPaths, '/membership-application']) {
  const rootRoute = createRootRoute({
    component: () => (
      <>
        <Header />
        <Outlet />
      </>
    ),
  })
  const routes = paths.map((path) => createRoute({ getParentRoute: () => rootRoute, path, component: () => null }))
  const history = createMemoryHistory({ initialEntries: [at] })
  const router = createRouter({ routeTree: rootRoute.addChildren(routes), history })
  await router.load()
  render(
    <SiteContentProvider content={siteContent}>
      <RouterProvider router={router} />
    </SiteContentProvider>,
  )
  await screen.findByRole('navigation')
  return router
}

function desktop() {
  const list = document.querySelector<HTMLElement>('.nav__list')
  if (!list) throw new Error('No list of links')
  return within(list)
}

const pathOf = (link: HTMLElement) => link.getAttribute('href')

test('NAV-01 NAV-03 the bar links to every page, and to joining', async () => {
  await show('/')
  expect(desktop().getAllByRole('link').map(pathOf)).toEqual([
    '/',
    '/about',
    '/podcast',
    '/coaching',
    '/blog',
    '/members',
    '/contact',
  ])
  expect(desktop().getByRole('link', { name: labelOf('/') })).toBeTruthy()
  expect(screen.getAllByRole('link', { name: 'JOIN THE MOVEMENT' }).map(pathOf)).toEqual(['/membership-application'])
})

test('only pages that exist are linked', async () => {
  await show('/', ['/', '/members'])
  expect(desktop().getAllByRole('link').map(pathOf)).toEqual(['/', '/members'])
  expect(screen.queryByText(softwareLabel)).toBeNull()
})

test('NAV-04 NAV-05 the current page is marked: HOME exactly, the others by what their path begins with', async () => {
  await show('/blog/first-post')
  const current = desktop()
    .getAllByRole('link')
    .filter((link) => link.getAttribute('aria-current') === 'page')
  expect(current.map(pathOf)).toEqual(['/blog'])
})

test('NAV-02 NAV-06 SOFTWARE opens on hover with its four pages', async () => {
  await show('/')
  const button = desktop().getByRole('button', { name: (name) => name.startsWith(softwareLabel) })
  const menu = button.parentElement
  if (!menu) throw new Error('No menu')
  expect(button.getAttribute('aria-expanded')).toBe('false')
  fireEvent.pointerEnter(menu, { pointerType: 'mouse' })
  expect(button.getAttribute('aria-expanded')).toBe('true')
  expect(within(menu).getAllByRole('link').map(pathOf)).toEqual(software)
  fireEvent.pointerLeave(menu, { pointerType: 'mouse' })
  expect(button.getAttribute('aria-expanded')).toBe('false')
})

test('NAV-06 SOFTWARE: a click of the mouse that opened it leaves it open, a press of a key closes it', async () => {
  await show('/')
  const button = desktop().getByRole('button', { name: (name) => name.startsWith(softwareLabel) })
  const expectOpen = (isOpen: boolean) => expect(button.getAttribute('aria-expanded')).toBe(String(isOpen))
  const menu = button.parentElement
  if (!menu) throw new Error('No menu')
  fireEvent.pointerEnter(menu, { pointerType: 'mouse' })
  fireEvent.click(button, { detail: 1 })
  expectOpen(true)
  fireEvent.click(button, { detail: 0 })
  expectOpen(false)
  fireEvent.click(button, { detail: 1 })
  expectOpen(true)
  fireEvent.pointerLeave(menu, { pointerType: 'mouse' })
  for (const isOpen of [true, false]) {
    fireEvent.click(button, { detail: 1 })
    expectOpen(isOpen)
  }
})

test('NAV-06 Escape closes SOFTWARE and takes the focus from inside it to its button', async () => {
  await show('/')
  const button = desktop().getByRole('button', { name: (name) => name.startsWith(softwareLabel) })
  fireEvent.click(button)
  const link = desktop().getByRole('link', { name: labelOf('/quotient') })
  act(() => link.focus())
  fireEvent.keyDown(link, { key: 'Escape' })
  expect(button.getAttribute('aria-expanded')).toBe('false')
  expect(document.activeElement).toBe(button)
})

test('NAV-07 Escape closes the phone menu from inside it and from beyond it', async () => {
  await show('/')
  const toggle = screen.getByRole('button', { name: 'Menu' })
  const [inside, beyond] = ['.menu__cta', '.nav__cta'].map((link) => document.querySelector<HTMLElement>(link))
  if (!inside || !beyond) throw new Error('No links to joining')
  for (const [from, next] of [
    [inside, toggle],
    [beyond, beyond],
  ] as const) {
    fireEvent.click(toggle)
    act(() => from.focus())
    fireEvent.keyDown(from, { key: 'Escape' })
    expect(toggle.getAttribute('aria-expanded')).toBe('false')
    expect(document.activeElement).toBe(next)
  }
})

test('NAV-07 NAV-08 the phone menu lists everything and closes on choosing', async () => {
  const router = await show('/')
  const toggle = screen.getByRole('button', { name: 'Menu' })
  fireEvent.click(toggle)
  const list = document.getElementById(toggle.getAttribute('aria-controls') ?? '')
  if (!list) throw new Error('No menu')
  expect(within(list).getAllByRole('link').map(pathOf)).toEqual([
    '/',
    '/about',
    '/podcast',
    '/coaching',
    ...software,
    '/blog',
    '/members',
    '/contact',
    '/membership-application',
  ])
  fireEvent.click(within(list).getByRole('link', { name: labelOf('/quotient') }))
  expect(toggle.getAttribute('aria-expanded')).toBe('false')
  await expect.poll(() => router.state.location.pathname).toBe('/quotient')
})

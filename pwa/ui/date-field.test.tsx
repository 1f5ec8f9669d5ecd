import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { DateField, DateTimeField, TimeField } from './date-field.tsx'

const sentBy = (form: HTMLElement) =>
  form instanceof HTMLFormElement ? Object.fromEntries(new FormData(form)) : undefined

test('a day typed in British order is sent as stored; what is no day stays as typed and says so', () => {
  const onForm = vi.fn()
  render(
    <form aria-label="Days" onInput={({ currentTarget }) => onForm(sentBy(currentTarget))}>
      <DateField label="Last day" name="until" defaultValue="2026-11-24" />
      <DateTimeField label="From" name="from" />
    </form>,
  )
  const until = screen.getByLabelText<HTMLInputElement>('Last day')
  const from = screen.getByLabelText<HTMLInputElement>('From')
  expect(until.value).toBe('24/11/2026')
  fireEvent.input(until, { target: { value: '1 Dec 26' } })
  fireEvent.input(from, { target: { value: '2/12/2026 9:30' } })
  expect(onForm).toHaveBeenLastCalledWith({ until: '2026-12-01', from: '2026-12-02T09:30' })
  fireEvent.blur(until)
  expect(until.value).toBe('01/12/2026')
  fireEvent.input(until, { target: { value: '31 Nov 2026' } })
  expect(until.getAttribute('aria-invalid')).toBeNull()
  fireEvent.blur(until)
  expect([until.value, until.getAttribute('aria-invalid')]).toEqual(['31 Nov 2026', 'true'])
  screen.getByText('Type it like 24/11/2026.')
  expect(sentBy(screen.getByRole('form'))).toMatchObject({ until: '31 Nov 2026' })
})

test('the picker’s button is named by its field, whatever its label is made of', () => {
  const marked = (
    <>
      Publish on <span aria-hidden="true">*</span>
    </>
  )
  render(
    <>
      <DateField label={marked} name="on" />
      <DateTimeField label="From" name="from" />
    </>,
  )
  const names = ['Choose a date for Publish on', 'Choose a date and time for From']
  for (const name of names) expect(screen.getAllByRole('button', { name })).toHaveLength(1)
  expect(screen.getAllByRole('button')).toHaveLength(2)
})

test('a filter changes with a whole day only; the browser’s picker gives one too', () => {
  const onSettle = vi.fn()
  const { container, rerender } = render(<DateField label="To" value="" onSettle={onSettle} />)
  const to = screen.getByLabelText<HTMLInputElement>('To')
  fireEvent.input(to, { target: { value: '24/11/2026' } })
  expect(onSettle).not.toHaveBeenCalled()
  fireEvent.keyDown(to, { key: 'Enter' })
  fireEvent.input(to, { target: { value: '24/13/2026' } })
  fireEvent.blur(to)
  expect(onSettle.mock.calls).toEqual([['2026-11-24']])
  const picker = container.querySelector<HTMLInputElement>('input[type=date]')
  const showPicker = vi.fn()
  if (picker) picker.showPicker = showPicker
  fireEvent.click(screen.getByRole('button', { name: 'Choose a date for To' }))
  expect(showPicker).toHaveBeenCalledOnce()
  if (picker) fireEvent.input(picker, { target: { value: '2026-11-25' } })
  expect([to.value, onSettle.mock.lastCall]).toEqual(['25/11/2026', ['2026-11-25']])
  rerender(<DateField label="To" value="2026-06-11" onSettle={onSettle} />)
  expect(to.value).toBe('11/06/2026')
})

test('a time is typed and shown on 24 hours, whatever the device’s own way, and is sent as stored', () => {
  render(
    <form aria-label="Times">
      <TimeField label="At" name="at" defaultValue="17:30" />
    </form>,
  )
  const at = screen.getByLabelText<HTMLInputElement>('At')
  expect([at.value, at.type, screen.queryByRole('button')]).toEqual(['17:30', 'text', null])
  for (const [typed, stored] of [
    ['9', '09:00'],
    ['9.30', '09:30'],
    ['0930', '09:30'],
    ['9:30 pm', '21:30'],
    ['12am', '00:00'],
  ] as const) {
    fireEvent.change(at, { target: { value: typed } })
    fireEvent.blur(at)
    expect([at.value, sentBy(screen.getByRole('form'))]).toEqual([stored, { at: stored }])
  }
  for (const typed of ['24:30', '13pm', '9:60', '3 o’clock']) {
    fireEvent.change(at, { target: { value: typed } })
    fireEvent.blur(at)
    expect([at.value, at.getAttribute('aria-invalid')]).toEqual([typed, 'true'])
    screen.getByText('Type it like 09:30.')
  }
})

import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { Button } from './button.tsx'
import { CheckField, TextField } from './field.tsx'
import { BoldText } from './list.tsx'
import { RadioCard, RadioCards } from './radio-card.tsx'
import { Slip } from './slip.tsx'
import { Stat } from './stat.tsx'
import { Stepper } from './stepper.tsx'
import { SyncLine } from './sync-line.tsx'
import { Cell, Row, Table } from './table.tsx'
import { BottomTabs } from './tabs.tsx'
import { Tape } from './tape.tsx'

test('TIER-22 a pair of ** is bold, a lone one is text', () => {
  const { container } = render(<BoldText text="**30-minute** call, **monthly**, 2 ** 3" />)
  expect(container.innerHTML).toBe('<b>30-minute</b> call, <b>monthly</b>, 2 ** 3')
})

test('a busy button says so and cannot be pressed twice', () => {
  const onClick = vi.fn()
  render(
    <Button isBusy busyLabel="Processing…" onClick={onClick}>
      PAY
    </Button>,
  )
  const button = screen.getByRole('button', { name: 'Processing…' })
  fireEvent.click(button)
  expect([onClick.mock.calls.length, button.getAttribute('aria-busy')]).toEqual([0, 'true'])
})

test('a double press is one press, and after a scroll the one at the same spot counts', () => {
  const onClick = vi.fn()
  render(
    <BottomTabs label="Places">
      {['Send to Ann', 'Send to Ben'].map((name) => (
        <Button key={name} isBusy={false} onClick={() => onClick(name)}>
          {name}
        </Button>
      ))}
    </BottomTabs>,
  )
  const press = (name: string, detail: number) => fireEvent.click(screen.getByRole('button', { name }), { detail })
  press('Send to Ann', 1)
  press('Send to Ann', 2)
  press('Send to Ben', 3)
  fireEvent.wheel(document.body)
  press('Send to Ben', 4)
  press('Send to Ben', 5)
  expect(onClick.mock.calls).toEqual([['Send to Ann'], ['Send to Ben']])
})

test('an error is shown under its field and is read out with it', () => {
  render(
    <>
      <TextField label="Email" name="email" error="Please enter a valid email address" hint="Your own" />
      <CheckField label="I agree" name="agree" error="Please agree to the terms" />
    </>,
  )
  const email = screen.getByLabelText('Email')
  expect(email.getAttribute('aria-invalid')).toBe('true')
  const told = (email.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent)
  expect(told).toEqual(['Your own', 'Please enter a valid email address'])
  expect(screen.getByLabelText('I agree').getAttribute('aria-invalid')).toBe('true')
})

test('a receipt lists net, VAT and total, in that order', () => {
  const { container } = render(<Slip net={25000} vat={5000} total={30000} totalLabel="Total today" />)
  const rows = [...container.querySelectorAll('dl > div')].map((row) => row.textContent)
  expect(rows).toEqual(['Net£250.00', 'VAT 20%£50.00', 'Total today£300.00'])
})

test('steps say where one is; the tape says how far', () => {
  render(
    <>
      <Stepper label="Joining" steps={['Application', 'Tier', 'Payment', 'Done']} current={2} />
      <Tape label="Completed" value={9} max={24} major={4} />
    </>,
  )
  expect(screen.getByRole('list', { name: 'Joining, step 3 of 4' })).toBeTruthy()
  expect(screen.getByText('Payment').getAttribute('aria-current')).toBe('step')
  const tape = screen.getByRole('progressbar', { name: 'Completed, 9 of 24' })
  expect([tape.getAttribute('aria-valuenow'), tape.getAttribute('aria-valuemax')]).toEqual(['9', '24'])
})

test('the sync line never hides what waits', () => {
  const line = (props: Partial<Parameters<typeof SyncLine>[0]>) => {
    const { container, unmount } = render(<SyncLine isOnline waiting={0} onSync={() => {}} {...props} />)
    const text = container.querySelector('p')?.textContent
    unmount()
    return text
  }
  expect(line({ lastSynced: '07:52' })).toBe('Your ticks are saved · 07:52')
  expect(line({ waiting: 3, lastSynced: '07:40' })).toBe('3 waiting · 07:40')
  expect(line({ waiting: 3, refused: 1 })).toBe('3 waiting, 1 not saved')
  expect(line({ isSending: true, waiting: 2 })).toBe('Sending 2')
  expect(line({ isOnline: false, waiting: 3 })).toContain('No signal. 3 waiting on this phone.')
})

test('radio cards are one group, of which one is picked', () => {
  render(
    <RadioCards label="Tier">
      <RadioCard name="tier" value="lite" title="Alliance Lite" second="Videos and community" figure="£125" />
      <RadioCard name="tier" value="standard" title="Alliance" defaultChecked />
    </RadioCards>,
  )
  expect(screen.getByRole('radiogroup', { name: 'Tier' })).toBeTruthy()
  fireEvent.click(screen.getByRole('radio', { name: /Alliance Lite/ }))
  expect(screen.getAllByRole('radio').map((radio) => radio.matches(':checked'))).toEqual([true, false])
})

test('a table stays a table when its rows become cards, and a figure stays with its label', () => {
  render(
    <>
      <Table caption="Members" isStacked>
        <tbody>
          <Row>
            <Cell kind="row">1</Cell>
            <Cell kind="number" label="Videos">
              9/24
            </Cell>
          </Row>
        </tbody>
      </Table>
      <Stat figure="500+" label="tradesmen coached" />
    </>,
  )
  expect(screen.getByRole('table', { name: 'Members' })).toBeTruthy()
  expect(screen.getByRole('cell', { name: '9/24' }).dataset.l).toBe('Videos')
  expect(screen.getByRole('table', { name: 'Members' }).getAttribute('role')).toBe('table')
  const plain = render(
    <Table caption="Prices">
      <tbody>
        <Row>
          <Cell>£300</Cell>
        </Row>
      </tbody>
    </Table>,
  )
  // One that never turns into cards has its roles already.
  expect(plain.container.querySelector('[role]')).toBeNull()
  expect(screen.getByText('tradesmen coached').parentElement?.textContent).toBe('500+tradesmen coached')
})

import { useId } from 'react'
import { Button, ButtonAnchor, ButtonLink, type ButtonLook, IconButton } from '#pwa/ui/button.tsx'
import { DateField, DateTimeField } from '#pwa/ui/date-field.tsx'
import { CheckField, SelectField, TextAreaField, TextField } from '#pwa/ui/field.tsx'
import { TextAnchor, TextLink } from '#pwa/ui/link.tsx'
import { RadioCard, RadioCards } from '#pwa/ui/radio-card.tsx'
import { Flow, Group, Specimen } from './specimen.tsx'

const looks: readonly ButtonLook[] = ['ink', 'line', 'bare', 'hivis', 'picked', 'bad']

export const Controls = () => (
  <Group name="Controls">
    {looks.map((look) => (
      <Specimen key={look} name={`Button, ${look}`}>
        <Buttons look={look} />
      </Specimen>
    ))}
    <Specimen name="Buttons on other grounds">
      <div className="on-blade box-pad">
        <Buttons look="ink" />
        <Button look="line">Second choice</Button>
      </div>
      <div className="on-ink box-pad">
        <Buttons look="ink" />
        <Button look="line">Second choice</Button>
      </div>
    </Specimen>
    <Specimen name="Links and icon buttons">
      <Flow>
        <TextLink to="/about">A link in text</TextLink>
        <TextAnchor isTap href="https://example.com">
          A link that stands alone
        </TextAnchor>
        <TextLink to="/about" className="is-focus">
          Focused
        </TextLink>
        <IconButton icon="cross" label="Close" />
        <IconButton icon="back" label="Back" className="is-focus" />
      </Flow>
    </Specimen>
    <Specimen name="Fields">
      <Fields />
    </Specimen>
    <Specimen name="Choices">
      <Choices />
    </Specimen>
  </Group>
)

const Buttons = ({ look }: { look: ButtonLook }) => (
  <Flow>
    <Button look={look}>Without an icon</Button>
    <Button look={look} icon="arrow">
      With one
    </Button>
    <Button look={look} icon="arrow" className="is-focus">
      Focused
    </Button>
    <Button look={look} icon="arrow" second="and a second line">
      Words
    </Button>
    <Button look={look} icon="sync" isBusy busyLabel="Sending">
      Send
    </Button>
    <Button look={look} icon="arrow" disabled>
      Disabled
    </Button>
    <Button look={look} icon="arrow" isSmall>
      Small
    </Button>
    <ButtonLink look={look} icon="arrow" to="/about">
      A page
    </ButtonLink>
    <ButtonAnchor look={look} icon="ext" href="https://example.com">
      Another site
    </ButtonAnchor>
    <Button look={look} icon="arrow" isWide>
      As wide as its place
    </Button>
  </Flow>
)

const Fields = () => (
  <>
    <TextField label="First name" autoComplete="off" />
    <TextField label="Filled in" defaultValue="Danny" hint="Under the field stands what helps." />
    <TextField label="Email" defaultValue="danny@" error="Please enter a valid email address" />
    <TextField label="Disabled" defaultValue="Not now" disabled />
    <DateField label="Last day" defaultValue="2026-11-24" />
    <DateField label="Last day" defaultValue="31 Nov" error="This isn’t a date." />
    <DateTimeField label="From (UK time)" />
    <SelectField label="Trade" defaultValue="plumber">
      <option value="plumber">Plumber</option>
      <option value="electrician">Electrician</option>
    </SelectField>
    <SelectField label="Trade" error="Choose one">
      <option value="">Choose one</option>
    </SelectField>
    <TextAreaField label="Biggest challenge" defaultValue="Quotes no one answers" />
    <TextAreaField label="Biggest challenge" error="Write a line" />
  </>
)

function Choices() {
  const name = useId()
  return (
    <>
      <CheckField label="I agree to the terms" />
      <CheckField label="Agreed" defaultChecked />
      <CheckField label="Not agreed" error="Tick this to carry on" />
      <RadioCards label="Tier">
        <RadioCard name={name} title="Alliance Lite" second="Videos and community" figure="£125" />
        <RadioCard name={name} title="Alliance" second="30-minute monthly coaching call" figure="£250" defaultChecked />
        <RadioCard name={name} title="Alliance XL" figure="£450" disabled />
      </RadioCards>
    </>
  )
}

type Value = string | number | boolean | null | undefined
type Choices = Readonly<Record<string, Readonly<Record<string, string>>>>

/** What someone filled in, in the order of the labels. Choices are worded; empty answers are left out. */
export const answersOf = <Name extends string>(
  labels: Readonly<Record<Name, string>>,
  form: Readonly<Record<NoInfer<Name>, Value> & Record<string, Value>>,
  choices: Choices = {},
): (readonly [label: string, answer: string])[] =>
  Object.entries<string>(labels).flatMap(([name, label]) => {
    const answer = String(form[name] ?? '')
    return answer === '' ? [] : [[label, choices[name]?.[answer] ?? answer]]
  })

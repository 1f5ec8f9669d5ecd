/** The steps as the stepper names them. */
export const orderSteps = ['Your details', 'Payment', 'Done'] as const

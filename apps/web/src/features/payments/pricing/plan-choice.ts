/** What a button of a plan says about it, in the attributes of its element: the browser's part needs no contract. */
export type PlanChoice = Readonly<{
  tier: string;
  period: string;
  /** What a press on the button leads to. */
  button: string;
  /** The terms of renewal. */
  renewal: string;
  visitorUrl: string;
  memberUrl: string;
}>;

const attribute = 'data-plan';

export const planAttributes = (choice: PlanChoice): Readonly<Record<string, string>> => ({
  [attribute]: JSON.stringify(choice),
});

export const planButtons = (): readonly HTMLButtonElement[] => [
  ...document.querySelectorAll<HTMLButtonElement>(`button[${attribute}]`),
];

// `planAttributes` has written it.
export const planOfButton = (button: Element): PlanChoice =>
  JSON.parse(button.getAttribute(attribute) ?? '') as PlanChoice;

/** Of what shows the price of a plan for a period. */
export const priceAttributes = (tier: string, period: string): Readonly<Record<string, string>> => ({
  'data-price-of': `${tier} ${period}`,
});

export const elementsOfPrice = (root: ParentNode, tier: string, period: string): readonly HTMLElement[] => [
  ...root.querySelectorAll<HTMLElement>(`[data-price-of="${tier} ${period}"]`),
];

/** Of the sentence that says why nothing can be bought. */
export const refusalId = 'purchase-refusal';

import type { Page, Route } from 'playwright-core';

/** Answers requests that match when the returned function is called; after that they go to the server. */
export const answerLater = async (
  page: Page,
  match: string,
  status: number,
  json: unknown,
): Promise<() => Promise<void>> => {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const answers: Promise<void>[] = [];
  const answer = (route: Route): Promise<void> => {
    const answered = released.then(() => route.fulfill({ status, json }));
    answers.push(answered);
    return answered;
  };
  await page.route(match, answer);
  return async () => {
    release();
    await Promise.all(answers);
    await page.unroute(match, answer);
  };
};

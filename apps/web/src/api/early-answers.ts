/** What `public/early-requests.js` has asked for, by address; absent on the landing page. */
type EarlyAnswers = { earlyAnswers?: Record<string, Promise<Response>> };

/** The answer to a request that was sent before the scripts of the page were there. Only the first one may have it. */
export const takeEarlyAnswer = (address: string): Promise<Response> | undefined => {
  const { earlyAnswers } = globalThis as EarlyAnswers;
  const answer = earlyAnswers?.[address];
  if (answer) delete earlyAnswers?.[address];
  return answer;
};

export type Question = Readonly<{ question: string; answer: string }>;

/** Plain text: search engines get the same sentences as structured data. */
export const questions: readonly Question[] = [
  {
    question: 'What is a strategy optimizer?',
    answer:
      'A tool that backtests the same trading strategy many times with different settings and lists the results side by side, so that you can tell settings that hold up from settings that were lucky.',
  },
  {
    question: 'How does the extension work?',
    answer:
      'It opens the settings of the strategy on your chart, changes the parameters that you have chosen step by step, waits for each backtest and records its figures. It runs in your browser, with your own charting account.',
  },
  {
    question: 'Is it free?',
    answer:
      'Yes, the free tier has unlimited optimizations of the timeframe and one parameter. Paid tiers vary five or more parameters at once.',
  },
  {
    question: 'Which parameters can be optimized?',
    answer:
      'The timeframe, and every input of the script that is a number, a choice or a yes or no: lengths, multiples, sources, filters, stops.',
  },
  {
    question: 'How does it compare with other optimizers?',
    answer:
      'It works on the charts and the data that you already use, it keeps every run instead of the ten best, and it shows the drawdown beside the profit.',
  },
  {
    question: 'Which markets are supported?',
    answer:
      'Every symbol that your charting account can show: crypto, stocks, futures, forex, indices and commodities.',
  },
  {
    question: 'Does it support Pine Script v5?',
    answer: 'Yes, and the versions before and after it. The script itself is never changed.',
  },
  {
    question: 'How long does an optimization take?',
    answer:
      'Simple optimizations take 2 to 5 minutes, complex ones 15 to 30 minutes. It depends on the number of combinations and on how fast the chart answers.',
  },
  {
    question: 'Does it guarantee a profit?',
    answer:
      'No. A backtest describes the past: it can rule out weak ideas, but it cannot promise that a strong one will last. Trading can lose money.',
  },
  {
    question: 'Can I export the results?',
    answer: 'Yes, paid members can export them as CSV.',
  },
];

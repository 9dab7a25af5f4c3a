import { weighted, type Random } from './random.ts';

export type Market = Readonly<{
  market: string;
  exchange: string;
  tickers: readonly string[];
  currency: string;
  tick: string;
  precision: number;
}>;

const list = (text: string): readonly string[] => text.split(' ');

const drawMarket = weighted<Market>([
  [
    {
      market: 'Crypto',
      exchange: 'BINANCE',
      tickers: list('BTCUSDT ETHUSDT SOLUSDT BNBUSDT XRPUSDT ADAUSDT DOGEUSDT AVAXUSDT LINKUSDT LTCUSDT'),
      currency: 'USDT',
      tick: '0.01',
      precision: 2,
    },
    42,
  ],
  [
    {
      market: 'Crypto',
      exchange: 'BYBIT',
      tickers: list('BTCUSDT.P ETHUSDT.P SOLUSDT.P OPUSDT.P ARBUSDT.P'),
      currency: 'USDT',
      tick: '0.1',
      precision: 1,
    },
    10,
  ],
  [
    {
      market: 'Crypto',
      exchange: 'COINBASE',
      tickers: list('BTCUSD ETHUSD SOLUSD'),
      currency: 'USD',
      tick: '0.01',
      precision: 2,
    },
    6,
  ],
  [
    {
      market: 'Stocks',
      exchange: 'NASDAQ',
      tickers: list('AAPL TSLA NVDA AMZN MSFT AMD META QQQ'),
      currency: 'USD',
      tick: '0.01',
      precision: 2,
    },
    16,
  ],
  [
    {
      market: 'Stocks',
      exchange: 'NSE',
      tickers: list('NIFTY BANKNIFTY RELIANCE HDFCBANK TCS'),
      currency: 'INR',
      tick: '0.05',
      precision: 2,
    },
    6,
  ],
  [
    {
      market: 'Forex',
      exchange: 'OANDA',
      tickers: list('EURUSD GBPUSD USDJPY AUDUSD EURJPY USDCAD GBPJPY'),
      currency: 'USD',
      tick: '0.00001',
      precision: 5,
    },
    12,
  ],
  [
    { market: 'Indices', exchange: 'SP', tickers: list('SPX'), currency: 'USD', tick: '0.01', precision: 2 },
    4,
  ],
  [
    {
      market: 'Commodities',
      exchange: 'OANDA',
      tickers: list('XAUUSD XAGUSD WTICOUSD'),
      currency: 'USD',
      tick: '0.001',
      precision: 3,
    },
    4,
  ],
]);

const drawTimeframe = weighted<string>([
  ['1m', 3],
  ['3m', 3],
  ['5m', 9],
  ['15m', 14],
  ['30m', 8],
  ['1h', 21],
  ['2h', 6],
  ['4h', 15],
  ['1d', 19],
  ['1w', 2],
]);

export type Setting = Readonly<{ market: Market; ticker: string; timeframe: string }>;

export const drawSetting = (random: Random): Setting => {
  const market = drawMarket(random);
  return { market, ticker: random.pick(market.tickers), timeframe: drawTimeframe(random) };
};

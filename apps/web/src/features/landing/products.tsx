import type { JSX, ReactNode } from 'react';
import { site } from '../../api/site.ts';
import { Icon } from '../../ui/icon.tsx';

const ticks = (from: number, to: number, every: number, top: number, height: number): string =>
  Array.from(
    { length: Math.floor((to - from) / every) + 1 },
    (_, index) => `M${from + index * every} ${top}v${height}`,
  ).join('');

const lanes = [
  { y: 24, mark: 206 },
  { y: 48, mark: 128 },
  { y: 72, mark: 252 },
  { y: 96, mark: 90 },
] as const;

/** Four settings, each at a step of its own. */
const OptimizerArt = (): JSX.Element => (
  <svg viewBox="0 0 320 120" aria-hidden="true">
    {lanes.map(({ y, mark }) => (
      <g key={y}>
        <path className="art-line" d={`M24 ${y}H296${ticks(24, 296, 16, y - 3, 6)}`} />
        <path className="art-mark" d={`M${mark} ${y - 9}v18`} />
      </g>
    ))}
  </svg>
);

const bars = (from: number, to: number, share: number): string =>
  Array.from({ length: to - from }, (_, index) => {
    const bin = from + index;
    const height = 7 + 85 * Math.exp(-((bin - 13) ** 2) / 38);
    return `M${24 + bin * 8} 100v${(-height * share).toFixed(1)}h7V100z`;
  }).join('');

/** A histogram with the part between two markers. */
const ExplorerArt = (): JSX.Element => (
  <svg viewBox="0 0 320 120" aria-hidden="true">
    <path className="art-all" d={bars(0, 34, 1)} />
    <path className="art-in" d={bars(17, 28, 0.62)} />
    <path className="art-line" d="M24 100.5H296" />
    <path className="art-thumb" d="M160 14v86M248 14v86" />
  </svg>
);

/** A tape without a playhead. */
const BotsArt = (): JSX.Element => (
  <svg viewBox="0 0 320 120" aria-hidden="true">
    <path className="art-line" d={`M24 60.5H296${ticks(24, 296, 8, 60, 5)}${ticks(24, 296, 40, 60, 10)}`} />
    <path className="art-dash" d="M24 44H296" />
  </svg>
);

type ProductProps = Readonly<{ art: ReactNode; name: ReactNode; text: string; action: ReactNode }>;

const Product = ({ art, name, text, action }: ProductProps): JSX.Element => (
  <article className="card product">
    <div className="product-art">{art}</div>
    <div className="product-body">
      <h3>{name}</h3>
      <p>{text}</p>
      {action}
    </div>
  </article>
);

export type ProductsProps = Readonly<{ signInHref: string }>;

export const Products = ({ signInHref }: ProductsProps): JSX.Element => (
  <section className="wrap section" id="products" aria-labelledby="products-title">
    <h2 id="products-title">Products</h2>
    <div className="products">
      <Product
        art={<OptimizerArt />}
        name="Strategy Optimizer"
        text="Runs the backtests you would never have the patience for, and lists every one of them."
        action={
          <a className="btn" href={site.extensionStoreUrl} target="_blank" rel="noopener noreferrer">
            <Icon name="download" />
            Download Extension
          </a>
        }
      />
      <Product
        art={<ExplorerArt />}
        name={
          <>
            Strategy Explorer <span className="badge badge--accent">Beta</span>
          </>
        }
        text="More than 4,500 published scripts with their figures, searchable by indicator and by result."
        action={
          <a className="btn" href={signInHref}>
            Launch Explorer
          </a>
        }
      />
      <Product
        art={<BotsArt />}
        name={
          <>
            Trading Bots <span className="badge badge--plain">Coming Soon</span>
          </>
        }
        text="Round-the-clock execution with risk limits, on several exchanges."
        action={
          <button className="btn" type="button" disabled>
            Not available yet
          </button>
        }
      />
    </div>
  </section>
);

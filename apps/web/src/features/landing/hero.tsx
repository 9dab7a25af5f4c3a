import type { JSX } from 'react';
import { site } from '../../api/site.ts';
import { Icon } from '../../ui/icon.tsx';
import { Sweep } from './sweep.tsx';

/** Invented, like the drawing above them. */
const runs = [
  { settings: '68 · 4.25', gain: '+367.9%', drawdown: '15.3%', factor: '2.03' },
  { settings: '64 · 4.25', gain: '+353.0%', drawdown: '17.6%', factor: '1.99' },
  { settings: '64 · 4.50', gain: '+350.9%', drawdown: '16.3%', factor: '1.98' },
  { settings: '72 · 4.25', gain: '+340.7%', drawdown: '14.8%', factor: '1.95' },
] as const;

const RunTable = (): JSX.Element => (
  <table className="runs">
    <thead>
      <tr>
        <th scope="col">Best so far</th>
        <th scope="col">P&L</th>
        <th scope="col">DD</th>
        <th scope="col">PF</th>
      </tr>
    </thead>
    <tbody>
      {runs.map(({ settings, gain, drawdown, factor }) => (
        <tr key={settings}>
          <td className="mono">{settings}</td>
          <td className="gain">{gain}</td>
          <td>{drawdown}</td>
          <td>{factor}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

const { demoVideo } = site;
const duration = `${Math.floor(demoVideo.seconds / 60)}:${String(demoVideo.seconds % 60).padStart(2, '0')}`;

/** The poster of the demo. Nothing of the video is loaded before the button is pressed. */
const Poster = (): JSX.Element => (
  <figure className="poster" aria-label="Example of a run">
    <div className="poster-bar">
      <span className="mono">BTCUSDT · 4h</span>
      <span>Example, run 173 of 180</span>
    </div>
    <div className="poster-body">
      <div className="sweep-box">
        <span className="sweep-y" aria-hidden="true">
          ATR multiple
        </span>
        <Sweep />
        <div className="sweep-x" aria-hidden="true">
          <span>20</span>
          <span>Entry channel</span>
          <span>88</span>
        </div>
      </div>
      <RunTable />
    </div>
    <button
      className="poster-play needs-script"
      type="button"
      data-video={demoVideo.url}
      data-video-type={demoVideo.type}
      data-captions={demoVideo.captionsUrl}
    >
      <span className="poster-mark">
        <Icon name="play" className="icon--fill" />
      </span>
      Watch the demo <small>{duration}</small>
    </button>
  </figure>
);

export const Hero = (): JSX.Element => (
  <section className="wrap hero">
    <div>
      <h1>Every setting tried. Every result on tape.</h1>
      <p className="lede">
        A browser extension that backtests your strategy across its settings, on the chart you already use.
        And a catalogue of more than 4,500 analysed strategies to measure it against.
      </p>
      <div className="row">
        <a
          className="btn btn--primary btn--lg"
          href={site.extensionStoreUrl}
          target="_blank"
          rel="noopener noreferrer"
        >
          <Icon name="extension" />
          Get the extension
        </a>
        <a className="btn btn--lg" href="#explorer">
          Explore strategies
        </a>
      </div>
      <p className="hint">Free tier with unlimited optimizations. No card needed.</p>
    </div>
    <Poster />
  </section>
);

const steps = [
  { at: '0:00', name: 'Open a strategy', text: 'The extension reads its inputs from the chart.' },
  {
    at: '0:20',
    name: 'Choose what may vary',
    text: 'Lengths, multiples, timeframes: each with a range and a step.',
  },
  { at: '0:45', name: 'Let it run', text: 'A simple sweep takes 2 to 5 minutes.' },
  { at: '4:30', name: 'Keep the evidence', text: 'Every run is listed, the bad ones too.' },
] as const;

export const RunSteps = (): JSX.Element => (
  <section className="reel" aria-label="How a run goes">
    <div className="tape" aria-hidden="true" />
    <ol className="wrap reel-steps">
      {steps.map(({ at, name, text }) => (
        <li key={at}>
          <span className="mono">{at}</span>
          <h2>{name}</h2>
          <p>{text}</p>
        </li>
      ))}
    </ol>
  </section>
);

import type { JSX } from 'react';
import { site } from '../../api/site.ts';
import { Icon } from '../../ui/icon.tsx';

const claims = [
  { figure: '10K+', of: 'active users' },
  { figure: '$2B+', of: 'volume analysed' },
  { figure: '4,500+', of: 'strategies' },
] as const;

export const About = (): JSX.Element => (
  <div className="band">
    <div className="wrap about">
      <section id="about" aria-labelledby="about-title">
        <h2 id="about-title">About</h2>
        <p className="lede">
          We build instruments for people who would rather know. Tapedeck is made by a small team of traders
          and engineers in {site.city}.
        </p>
        <ul className="socials">
          {site.socialLinks.map(({ name, url }) => (
            <li key={name}>
              <a href={url} target="_blank" rel="noopener noreferrer">
                {name}
                <Icon name="external" small />
              </a>
            </li>
          ))}
        </ul>
      </section>
      <dl className="claims">
        {claims.map(({ figure, of }) => (
          <div key={figure}>
            <dt>{of}</dt>
            <dd>{figure}</dd>
          </div>
        ))}
      </dl>
      <section className="contact" id="contact" aria-labelledby="contact-title">
        <h2 id="contact-title">Contact</h2>
        <ul>
          <li>
            <a href={site.chatServerUrl} target="_blank" rel="noopener noreferrer">
              <Icon name="chat" />
              Community server
            </a>
          </li>
          <li>
            <a href={`mailto:${site.billingEmail}`}>
              <Icon name="mail" />
              {site.billingEmail}
            </a>
          </li>
        </ul>
      </section>
    </div>
  </div>
);

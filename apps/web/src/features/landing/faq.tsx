import type { JSX } from 'react';
import { Icon } from '../../ui/icon.tsx';
import { questions } from './questions.ts';

/** The browser keeps one of them open at a time, because they share a name. */
export const Faq = (): JSX.Element => (
  <section className="wrap section faq" id="faq" aria-labelledby="faq-title">
    <div>
      <h2 id="faq-title">Questions</h2>
      <p className="lede">
        Something else?{' '}
        <a className="link" href="#contact">
          Write to us.
        </a>
      </p>
    </div>
    <div className="accordion">
      {questions.map(({ question, answer }, index) => (
        <details key={question} name="faq" open={index === 0}>
          <summary>
            <h3>{question}</h3>
            <Icon name="down" />
          </summary>
          <p className="answer">{answer}</p>
        </details>
      ))}
    </div>
  </section>
);

// The only script that the landing page loads by itself. React comes with the sliders when they are near, and with the
// e-mail dialog when a plan is chosen.
import './landing.css';
import { isElementNear } from '../ui/browser/near.ts';
import { startPlans } from './plans.ts';
import { startSession } from './session.ts';
import { startThemeSwitch } from './theme-switch.ts';
import { startVideo } from './video.ts';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root.');

startThemeSwitch(root);
startVideo(root);
startPlans(root, startSession(root));

const menu = root.querySelector<HTMLElement>('.sections-menu');
menu?.addEventListener('click', () => menu.hidePopover());

const teaser = root.querySelector<HTMLElement>('[data-teaser]');
if (teaser) {
  isElementNear(teaser)
    .then(() => import('./teaser.tsx'))
    .then(({ showTeaser }) => showTeaser(teaser, teaser.dataset['teaser'] ?? ''))
    // Without its script the card keeps its place, and the rest of the page works.
    .catch(() => undefined);
}

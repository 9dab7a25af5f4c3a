/** Uses the product's design tokens, as far as these pages need them. */
export const stylesheet = `
:root { color-scheme: light dark;
  --bg: light-dark(#f6f4f1, #120f0d); --surface: light-dark(#fdfcfa, #1a1714);
  --hover: light-dark(#e9e7e2, #272420); --line: light-dark(#dddad5, #34302c);
  --edge: light-dark(#c9c5be, #4a4540); --field: light-dark(#85817a, #79736b);
  --text: light-dark(#1f1b17, #eae8e3); --text-2: light-dark(#56504a, #b3afa8);
  --text-3: light-dark(#66615b, #98938c);
  --accent: light-dark(#f5af26, #f8b533); --accent-hover: light-dark(#eba210, #fec348);
  --accent-line: light-dark(#b57407, #f8b533); --accent-ink: #1f1306;
  --accent-tint: light-dark(#fbebcb, #33250f); --focus: light-dark(#824f00, #f3b94c);
  --danger: light-dark(#ba1d2a, #f66c6d); --danger-tint: light-dark(#fae5e3, #351a18); }
* { box-sizing: border-box; margin: 0; }
body { min-height: 100vh; display: grid; place-items: center; padding: 24px 16px; background: var(--bg);
  color: var(--text); font: 400 0.875rem/1.25rem "IBM Plex Sans", system-ui, -apple-system, "Segoe UI",
  Roboto, "Helvetica Neue", Arial, sans-serif; }
main { width: 100%; max-width: 24rem; padding: 24px; background: var(--surface);
  border: 1px solid var(--line); border-radius: 6px; }
.tape { height: 12px; margin-bottom: 20px; border-bottom: 1px solid var(--text);
  background: repeating-linear-gradient(90deg, var(--field) 0 1px, transparent 1px 8px) bottom / 100% 5px no-repeat; }
h1 { font-size: 1.25rem; line-height: 1.75rem; font-weight: 600; }
p { color: var(--text-2); }
h1 + p { margin: 4px 0 20px; }
ul { list-style: none; padding: 0; display: grid; gap: 8px; }
button, input { width: 100%; min-height: 2.25rem; font: inherit; border-radius: 4px; }
button { cursor: pointer; padding: 6px 12px; border: 1px solid var(--edge); background: none; color: inherit; }
button:hover { background: var(--hover); }
.persona { display: grid; grid-template-columns: 6rem 1fr; text-align: left; min-height: 3rem; align-items: center; }
.persona strong { font-weight: 600; }
.persona span { color: var(--text-2); font-size: 0.8125rem; overflow-wrap: anywhere; }
.main { border-color: var(--accent-line); background: var(--accent); color: var(--accent-ink); font-weight: 600; }
.main:hover { background: var(--accent-hover); }
.or { display: grid; gap: 8px; margin-top: 20px; padding-top: 20px; border-top: 1px solid var(--line); }
label { color: var(--text-2); font-size: 0.8125rem; }
input { padding: 6px 10px; border: 1px solid var(--field); background: var(--bg); color: inherit; }
input::placeholder { color: var(--text-3); opacity: 1; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
.notice { margin: 0 0 16px; padding: 8px 12px; border-radius: 4px; background: var(--danger-tint); color: var(--danger); }
footer { margin-top: 20px; color: var(--text-3); font-size: 0.75rem; line-height: 1rem; }
@media (pointer: coarse) { button, input { min-height: 2.75rem; font-size: 1rem; } }
`.trimStart();

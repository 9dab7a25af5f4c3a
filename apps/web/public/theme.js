// Runs before the first paint: a remembered theme must not flash over from the system's.
(function () {
  try {
    var theme = localStorage.getItem('tapedeck.theme');
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  } catch {
    // Storage may be forbidden; the system's theme stands.
  }
})();

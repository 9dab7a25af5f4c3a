// Sets the stored theme before the first paint, so that the system's theme does not flash up.
(function () {
  try {
    var theme = localStorage.getItem('tapedeck.theme');
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  } catch {
    // Storage may be forbidden; then the system's theme applies.
  }
})();
